package certificate

import (
	"regexp"
	"strings"
)

// Bounds of a context: each term is looked for in the document, and prefixes may have prefixes.
const (
	maxTerms = 100
	maxParts = 100
	maxIRI   = 500
)

// documentContext is what the @context of a document says of names (JSON-LD 1.1), as far as that is known without a request.
type documentContext struct {
	namespace string
	// it is schema.org's with svc for the signed namespace, and was read whole
	isOurs bool
	// it names a remote context beside schema.org's: what that defines is unknown
	isForeign bool
	// it says more than what names stand for: ids and values may mean something else, too
	changesValues bool
	// the terms and prefixes that it defines itself, beside svc, and what each stands for
	terms map[string]string
	order []string
	// what definitions refer to: to define it afterwards would change them
	referred     map[string]bool
	hasSchemaOrg bool
}

// readContext reads the @context of a document; an absent one is inherited from the page.
func readContext(stated any, namespace string) *documentContext {
	c := &documentContext{namespace: namespace, terms: map[string]string{}, referred: map[string]bool{}}
	if stated == nil {
		stated = "https://schema.org"
	}
	parts := listed(stated)
	c.isOurs = len(parts) <= maxParts
	for _, part := range parts {
		if !c.isOurs {
			break
		}
		definitions, isObject := part.(*object)
		_, isText := part.(string)
		switch {
		case isText && isSchemaOrg(part):
			c.hasSchemaOrg = true
		case isText:
			c.isForeign = true
		case !isObject:
			c.isOurs = false
		default:
			for at := 0; at < len(definitions.names) && c.isOurs; at++ {
				c.define(definitions.names[at], definitions.values[at])
			}
		}
	}
	c.isOurs = c.isOurs && c.hasSchemaOrg
	return c
}

func (c *documentContext) define(name string, definition any) {
	switch {
	case name == "svc":
		c.isOurs = definition == c.namespace
	case name == "@vocab" || name == "schema":
		c.isOurs = isSchemaOrg(definition)
		c.hasSchemaOrg = c.hasSchemaOrg || name == "@vocab"
	case name == "@base":
		c.changesValues = true
	case strings.HasPrefix(name, "@"):
		c.isOurs = name != "@import" && name != "@propagate"
	default:
		c.defineTerm(name, definition)
	}
}

func (c *documentContext) defineTerm(name string, definition any) {
	id, more := definition, (*object)(nil)
	if defined, ok := definition.(*object); ok {
		more = defined
		if id, ok = defined.get("@id"); !ok {
			id = name
		}
	}
	target, isText := id.(string)
	iri := c.terms[target]
	if target == name || iri == "" {
		iri = c.withoutPrefix(target)
	}
	known, isKnown := c.terms[name]
	_, hasContext := more.get("@context")
	_, isReverse := more.get("@reverse")
	c.isOurs = !c.referred[name] && (!isKnown || known == iri) && !hasContext && !isReverse && (id == nil || isText) &&
		len(c.terms) < maxTerms && units(iri) <= maxIRI
	if more != nil {
		for _, key := range more.names {
			c.changesValues = c.changesValues || (key != "@id" && key != "@prefix")
		}
	}
	if !isKnown {
		c.order = append(c.order, name)
	}
	c.terms[name] = iri
	if target != name {
		c.referred[target] = true
	}
	prefix, _, _ := strings.Cut(target, ":")
	c.referred[prefix] = true
}

// withoutPrefix returns the IRI of a compact IRI; any other text, also an address, as it is.
func (c *documentContext) withoutPrefix(text string) string {
	for at := 0; at < len(text); at++ {
		if text[at] != ':' || strings.HasPrefix(text[at+1:], "//") {
			continue
		}
		if start, ok := c.terms[text[:at]]; ok {
			return start + text[at+1:]
		}
		return text
	}
	return text
}

// issuedName returns the name under which a member is issued: url for schema:url, svc:status for its full IRI, a keyword
// for its alias. That of anything else is in a form that is none of ours.
func (c *documentContext) issuedName(name string) string {
	if len(c.terms) == 0 {
		return c.plainName(name)
	}
	iri, ok := c.terms[name]
	if !ok {
		iri = c.withoutPrefix(name)
	}
	return c.plainName(iri)
}

// plainName is issuedName without the terms that the context defines.
func (c *documentContext) plainName(iri string) string {
	if strings.HasPrefix(iri, "svc:") || !(strings.Contains(iri, ":") || iri == "type" || iri == "id") {
		return iri
	}
	bare, own := withoutScheme(iri), withoutScheme(c.namespace)
	if bare != iri && own != "" && strings.HasPrefix(bare, own) {
		return "svc:" + bare[len(own):]
	}
	short, ok := withoutSchemaOrg(iri)
	if !ok {
		short = iri
	}
	if short == "type" || short == "id" {
		return "@" + short
	}
	return short
}

func withoutScheme(iri string) string {
	for _, scheme := range [...]string{"http:", "https:"} {
		if strings.HasPrefix(iri, scheme) {
			return iri[len(scheme):]
		}
	}
	return iri
}

// schemaOrg begins its names, and is the address of its context.
var schemaOrg = regexp.MustCompile(`^(schema:|https?://(www\.)?schema\.org/?(docs/jsonldcontext\.json(ld)?$)?)`)

// withoutSchemaOrg returns the part of a name after schema.org; not ok if it is none of its names.
func withoutSchemaOrg(name string) (string, bool) {
	if name == "https://schema.org" {
		return "", true
	}
	at := schemaOrg.FindStringIndex(name)
	if at == nil {
		return "", false
	}
	return name[at[1]:], true
}

// isSchemaOrg tells whether a value is the address of schema.org, or its prefix alone.
func isSchemaOrg(value any) bool {
	text, _ := value.(string)
	rest, ok := withoutSchemaOrg(text)
	return ok && rest == ""
}

// listed is a list, or one of a single value.
func listed(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}
