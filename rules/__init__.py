"""Events to findings: the engine, the clauses by chapter, the dated packs. Knows no pixels."""
