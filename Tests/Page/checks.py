class Bench: pass
