package certificate

import "strings"

// Bounds of the members of a document, and of the ids within it: more would keep whoever verifies a hostile one busy.
const (
	maxMembers = 1_000
	maxIDs     = 5_000
)

// alteration is how a member differs from the one that was issued. Only the first is told.
type alteration struct{ expected, actual string }

// comparing compares a document with the members that its proof binds.
type comparing struct {
	*documentContext
	form    documentForm
	url     string // the signed address, against which ids are resolved
	altered *alteration
}

func (c *comparing) differs(expected string, actual any) {
	if c.altered == nil {
		c.altered = &alteration{expected, describe(actual)}
	}
}

// isIssued tells whether a member of this name is one that we issue.
func (c *comparing) isIssued(name string) bool {
	return (strings.HasPrefix(name, "svc:") && name != logProof) || name == "proof" ||
		contains(c.form.repeated, name) || contains(c.form.digested, name)
}

// name returns the document with each member under the name by which it was issued, whatever spelling it uses, and
// finds what would state more about our members than the document itself does.
func (c *comparing) name(document *object) *object {
	if len(document.names) > maxMembers {
		c.differs("at most 1000 members", document)
		return document
	}
	renamed := &object{}
	isOne := true
	for at, spelling := range document.names {
		name, value := c.issuedName(spelling), document.values[at]
		known := renamed.at(name)
		switch {
		case known == nil:
			renamed.set(name, value)
		case name == "@type":
			both := append([]any{}, listed(known)...)
			renamed.set(name, append(both, listed(value)...))
		case isOne && value != nil && c.isIssued(name):
			// only until one differs, so that the length of the document bounds the work
			text, ok := canonicalJSON(known, c.namespace)
			other, isOther := canonicalJSON(value, c.namespace)
			if isOne = ok && isOther && text == other; !isOne {
				c.differs("one "+shown(name), value)
			}
		}
		if isInner(name) && hasMember(value, c.adds(name), 0) {
			c.differs("no members in "+name, value)
		}
	}
	c.compareTerms(renamed)
	if id := renamed.at("@id"); id != nil && c.restates(document, id) {
		c.differs("no other object with its @id", id)
	}
	return renamed
}

// isInner tells of keywords whose values state members of the node that has them, or of nodes that can be taken for it.
func isInner(name string) bool {
	return name == "@nest" || name == "@included" || name == "@graph" || name == "@reverse"
}

func (c *comparing) adds(keyword string) memberTest {
	return func(inner string, _ any, _ *object) bool {
		name := c.issuedName(inner)
		return c.isIssued(name) || name == "@context" || (name == "@id" && keyword == "@nest")
	}
}

// compareTerms finds a term by which the context changes a name that the document has.
func (c *comparing) compareTerms(renamed *object) {
	if len(c.terms) == 0 {
		return
	}
	ours := &object{}
	for at, name := range renamed.names {
		if c.isIssued(name) {
			ours.set(name, renamed.values[at])
		}
	}
	text, ok := canonicalJSON(ours, c.namespace)
	isUsed := func(name string) bool {
		return strings.HasPrefix(name, "@") || name == c.form.typ || c.isIssued(name) || !ok || strings.Contains(text, quoted(name))
	}
	for _, term := range c.order {
		before, after := c.plainName(term), c.issuedName(term)
		isChanged := before != after && isUsed(before)
		if c.changesValues {
			isChanged = isUsed(before) || isUsed(after)
		}
		if isChanged {
			c.differs("@context without "+shown(term), renamed.at("@context"))
			return
		}
	}
}

// restates tells whether an object among the members of others states something about the @id of the document.
func (c *comparing) restates(document *object, id any) bool {
	base := parseAddress(c.url)
	idOf := func(value any) string {
		text, _ := value.(string)
		return resolve(c.withoutPrefix(text), base)
	}
	self, ids := idOf(id), 0
	states := func(inner string, value any, in *object) bool {
		name := c.issuedName(inner)
		if name == "@context" {
			return !isSchemaOrg(value)
		}
		if c.changesValues || name == "@reverse" {
			return true
		}
		if _, ok := value.(string); name != "@id" || !ok {
			return false
		}
		ids++
		return (ids > maxIDs || idOf(value) == self) && !c.isReference(in)
	}
	for at, spelling := range document.names {
		name := c.issuedName(spelling)
		if !c.isIssued(name) && !strings.HasPrefix(name, "@") && hasMember(document.values[at], states, 0) {
			return true
		}
	}
	return false
}

// isReference tells whether an object has nothing but an id and a type.
func (c *comparing) isReference(in *object) bool {
	for _, spelling := range in.names {
		if name := c.issuedName(spelling); name != "@id" && name != "@type" {
			return false
		}
	}
	return true
}

type memberTest func(name string, value any, in *object) bool

// hasMember tells whether this is true of a member of an object in a value, at any depth; true for a value that is nested
// too deeply.
func hasMember(value any, test memberTest, depth int) bool {
	switch value := value.(type) {
	case []any:
		if depth > maxDepth {
			return true
		}
		for _, entry := range value {
			if hasMember(entry, test, depth+1) {
				return true
			}
		}
	case *object:
		if depth > maxDepth {
			return true
		}
		for at, name := range value.names {
			if test(name, value.values[at], value) || hasMember(value.values[at], test, depth+1) {
				return true
			}
		}
	}
	return false
}

// shown is a name for a message: it may come from a hostile document.
func shown(name string) string {
	var out strings.Builder
	for _, char := range name {
		if out.Len() == 60 {
			break
		}
		lower := char | 0x20
		isWord := (lower >= 'a' && lower <= 'z') || (char >= '0' && char <= '9') || strings.ContainsRune("_:.@-", char)
		if !isWord {
			char = '?'
		}
		out.WriteRune(char)
	}
	return out.String()
}
