package certificate

// submitted is a document as it was given: the node that carries a proof, or why there is none.
type submitted struct {
	node     *object // nil for a proof without its document
	jwt      string
	isSigned bool
	// why the document was dropped; empty if none was given
	dropped Code
}

// readDocument parses the text of a document once; nil is no document.
func readDocument(text []byte) submitted {
	if text == nil {
		return submitted{}
	}
	value, ok := parseJSON(string(text), false)
	if !ok {
		return submitted{dropped: "document_not_json"}
	}
	node, _ := value.(*object)
	if _, isGraph := node.get("@graph"); node == nil || isGraph {
		return submitted{dropped: "document_not_single_node"}
	}
	proof, _ := node.at("proof").(*object)
	jwt, ok := proof.at("jwt").(string)
	if !ok {
		return submitted{dropped: "proof_absent"}
	}
	return submitted{node: node, jwt: jwt, isSigned: true}
}
