def check_predicate(*a): pass
