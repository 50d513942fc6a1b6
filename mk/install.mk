# Installation, and a Debian package of it.

# Everything that a run reads lies beside the command, where it looks first.
PREFIX ?= /usr/local
INSTALLED := $(DESTDIR)$(PREFIX)/lib/evgpu
SHARE := $(DESTDIR)$(PREFIX)/share
DOCUMENTS := $(SHARE)/doc/evgpu
MAN_COMMAND = $(BUILD)/evgpu manual
install: all
	@mkdir -p $(INSTALLED)/tb/wave $(DESTDIR)$(PREFIX)/bin $(DOCUMENTS)
	cp $(BUILD)/evgpu $(INSTALLED)/evgpu
	cp -r config experiments $(BUILD)/native $(INSTALLED)/
	cp tb/wave/show.sh $(INSTALLED)/tb/wave/
	rm -rf $(INSTALLED)/gen && mkdir $(INSTALLED)/gen && cp $(GEN)/*.gtkw $(GEN)/*.filter $(INSTALLED)/gen/
	rm -rf $(INSTALLED)/cuda && cp -r $(CUDA) $(INSTALLED)/cuda
	rm -rf $(INSTALLED)/apps $(INSTALLED)/lib && cp -r $(BUILD)/apps $(BUILD)/lib $(INSTALLED)/
	tar cf - -C $(BUILD) $(KERNELS:$(BUILD)/%=%) | tar xf - -C $(INSTALLED)
	ln -sf ../lib/evgpu/evgpu $(DESTDIR)$(PREFIX)/bin/evgpu
	cp -r README.md docs $(DOCUMENTS)/ && cp LICENSE $(DOCUMENTS)/copyright
	@sh mk/manuals.sh $(BUILD)/evgpu $(SHARE)

uninstall:
	rm -rf $(INSTALLED) $(DOCUMENTS)
	rm -f $(DESTDIR)$(PREFIX)/bin/evgpu $(SHARE)/man/man1/evgpu.1.gz $(SHARE)/man/man1/evgpu-*.1.gz $(SHARE)/man/man5/evgpu.ini.5.gz
	rm -f $(SHARE)/bash-completion/completions/evgpu $(SHARE)/zsh/site-functions/_evgpu

# --- the package: installed below build/, packed -------------------------------------------------------
# The day of the last commit and its name, so that a newer source is a newer package.
DEB_VERSION = $(shell sh mk/version.sh | cut -d" " -f1)+$(shell git log -1 --format=%cd.g%h --date=format:%Y%m%d 2>/dev/null || echo 0)
DEB_ARCH := $(shell dpkg --print-architecture 2>/dev/null)
DEB_ROOT := $(BUILD)/deb
deb:
	@$(REMAKE) deps DEPS_FOR="run apps deb"
	@rm -rf $(DEB_ROOT)
	@$(REMAKE) -s -j$(JOBS) all
	@$(REMAKE) -s install DESTDIR=$(abspath $(DEB_ROOT)) PREFIX=/usr
	@sh mk/deb.sh $(DEB_ROOT) $(DEB_VERSION) $(DEB_ARCH) $(BUILD)/evgpu_$(DEB_VERSION)_$(DEB_ARCH).deb

# The package where there is nothing else; ends with one verdict line.
deb-test: deb
	@sh tests/deb.sh $(BUILD)/evgpu_$(DEB_VERSION)_$(DEB_ARCH).deb
