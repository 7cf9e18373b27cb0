"""The texts of the scripts that repeat the evidence of a finding about a line, by subject. No torch is imported here.

A script imports torch and the checked file alone. It is read as evidence: what is done stands in it, in plain words.
"""
