"""Reading a saved page: its certificates and the verdict on it, without what it states about its product."""
