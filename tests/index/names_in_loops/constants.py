LIMITS = ("low", "high")
MOMENTS = ("mean", "std")
GAINS = ["gain"]
