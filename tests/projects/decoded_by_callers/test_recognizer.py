"""A test of the method, as tests call it."""
from recognizer import Recognizer


def check_length(batches):
    assert len(Recognizer().decode_all(batches)) == len(batches)
