"""A mixin that drops caches where every parent passes."""


class DropsTable:
    table = None

    def forget(self):
        self.table = None

    def _apply(self, fn, recurse=True):
        self.forget()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.forget()
        super()._load_from_state_dict(*args, **kwargs)
