COUNT = 2
PREFIX = "query"
PREFIXES = ("query", "key")
