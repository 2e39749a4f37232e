package certificate

import "strings"

// compared is a document under the names by which its members were issued.
type compared struct {
	document *object
	altered  *alteration
	// its @context names a remote one beside schema.org's: nobody knows here what that makes of it
	isContextForeign bool
}

// compareMembers compares a document with the members that its proof binds. It stays as it is if the signature is not
// valid, or if the proof is from before proofs bound members.
func compareMembers(document *object, p *proof, signature Code, kind Kind) compared {
	unchanged := compared{document: document}
	if document == nil || signature != "ok" || p.claims == nil || p.typ != kind.typ() {
		return unchanged
	}
	namespace, isText := p.claims.at("namespace").(string)
	members, _ := p.claims.at("members").(*object)
	if !isText || members == nil || !isDigests.is(members) {
		return unchanged
	}
	c := &comparing{
		documentContext: readContext(document.at("@context"), namespace),
		form:            documentForms[kind],
		url:             p.text("url"),
	}
	if !c.isOurs {
		c.differs("@context of schema.org, with svc for "+namespace, document.at("@context"))
		return compared{document: document, altered: c.altered}
	}
	named := c.name(document)
	c.compareFixed(named, p)
	if c.altered == nil {
		c.findAltered(named, members)
	}
	return compared{named, c.altered, c.isForeign}
}

// compareFixed compares what has a fixed value, follows from the proof, or may have a fixed set of names.
func (c *comparing) compareFixed(document *object, p *proof) {
	types := []any{c.form.typ}
	if stated := document.at("@type"); stated != nil {
		types = listed(stated)
	}
	isTyped := false
	for _, one := range types {
		text, _ := one.(string)
		short, ok := withoutSchemaOrg(text)
		isTyped = isTyped || text == c.form.typ || (ok && short == c.form.typ)
	}
	if !isTyped {
		c.differs("@type "+c.form.typ, types)
	}
	if issuedFor, ok := document.at("svc:issuedFor").(*object); ok {
		for at, name := range issuedFor.names {
			if !contains(c.form.issuedFor, name) {
				c.differs("no "+shown(name)+" in svc:issuedFor", issuedFor.values[at])
			}
		}
	}
	block, ok := document.at("proof").(*object)
	if !ok {
		return
	}
	for at, name := range block.names {
		value := block.values[at]
		if name == "jwt" || value == nil {
			continue
		}
		fixed, isKnown := c.form.proof[name]
		if fixed == "" {
			fixed = jwksURL(p.text("iss")) + "#" + p.kid
		}
		if !isKnown || value != fixed {
			c.differs("proof."+shown(name)+" as it was issued", value)
		}
	}
}

// findAltered finds a member that was altered, or added under a name of ours. Members may be left out.
func (c *comparing) findAltered(document, members *object) {
	names := append([]string{}, members.names...)
	own := append([]string{}, c.form.digested...)
	for _, name := range document.names {
		// every name in our namespace counts as ours
		if strings.HasPrefix(name, "svc:") && name != logProof && !contains(c.form.repeated, name) {
			own = append(own, name)
		}
	}
	for _, name := range own {
		if members.find(name) < 0 {
			names = append(names, name)
		}
	}
	for _, name := range names {
		value := memberOf(document, name)
		if value == nil {
			continue
		}
		wanted, isBound := members.get(name)
		if !isBound {
			c.differs("no "+shown(name), value)
			return
		}
		text, ok := canonicalJSON(value, c.namespace)
		if !ok || digest(text) != wanted {
			c.differs(shown(name)+" as it was issued", value)
			return
		}
	}
}

func memberOf(document *object, name string) any {
	if name != mediaID {
		return document.at(name)
	}
	issuedFor, _ := document.at("svc:issuedFor").(*object)
	return issuedFor.at("mediaID")
}
