#include "apps/plugin_check/world.hpp"

#include <sys/stat.h>

#include "apps/known_plugins/manifest.hpp"
#include "apps/plugin_search/discovery.hpp"
#include "apps/plugin_search/load_plugins.hpp"
#include "apps/views/text.hpp"

namespace mo::app::checks {

namespace {

bool same_file(const std::string& a, const std::string& b) {
  struct stat x {
  }, y{};
  return stat(a.c_str(), &x) == 0 && stat(b.c_str(), &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

}  // namespace

World::World(const Surroundings& s) : surroundings_(s) {
  for (const std::string& name : s.reserved_options) session_->registry().reserve_option(name);
  for (const auto& [name, value] : s.options) session_->set_option(name, value);
  LoadRequest request;
  request.built_in = s.built_in;
  request.named = s.others;
  request.prefer = s.prefer;
  request.allow_writable_folders = s.allow_writable_folders;
  ManifestGate gate;
  load_plugins(*session_, request, gate);
}

void World::load() {
  for (const core::Plugin& p : session_->plugins())
    if (same_file(p.path, surroundings_.file)) {
      plugin_ = &p;
      return;
    }
  const std::string& folder = surroundings_.folder;
  const std::string& path = folder.empty() ? surroundings_.file : folder;
  core::PluginPlace place{
      core::PluginPlace::Origin::named, path, path,
      discover(path, {.any_owner = true,
                      .allow_writable_folders = surroundings_.allow_writable_folders,
                      .loaders = folder.empty() ? std::string() : loaders_beside(surroundings_.built_in)})};
  std::erase_if(place.found.plugins,
                [&](const core::FoundPlugin& f) { return !same_file(f.path, surroundings_.file); });
  ManifestGate gate;
  plugin_ = core::load_places(*session_, {std::move(place)}, {}, gate).loaded.front();
}

std::string registrations(const core::Session& session, const core::Plugin& plugin) {
  const core::Registry& r = session.registry();
  std::string all;
  const auto line = [&](const auto&... parts) { all += text(parts..., "\n"); };
  const auto mine = [&](const auto* item) { return item->plugin == &plugin; };
  for (const core::Operation* o : r.operations()) {
    if (!mine(o)) continue;
    line("operation ", o->opset, "::", o->op, " inputs ", o->min_inputs, "..", o->max_inputs, " outputs ",
         o->min_outputs, "..", o->max_outputs, " flags ", o->flags, " ", o->doc,
         o->infer != nullptr ? " infer" : "", o->evaluate != nullptr ? " evaluate" : "");
    for (const core::AttributeDef& a : o->attributes)
      line("  attribute ", a.name, " (", a.ir_name, ") kind ", a.kind, " required ", a.required, " allowed ",
           a.allowed);
  }
  for (const core::Extractor* e : r.extractors())
    if (mine(e)) line("extractor ", e->framework, " ", e->domain, " ", e->op, " ", e->since, "..", e->until);
  for (const core::Transformation* t : r.transformations())
    if (mine(t))
      line("transformation ", t->id, " phase ", t->phase, " kind ", t->kind, " ops ", t->ops, " after ",
           t->run_after, " before ", t->run_before, " nodes ", t->nodes.size(), " on ", t->enabled);
  for (const core::FrontEnd* f : r.frontends())
    if (mine(f)) line("front-end ", f->name, " ", f->aliases, " ", f->extensions);
  for (const core::OptionDef* o : r.options())
    if (mine(o)) line("option ", o->name, " kind ", o->kind, " ", o->fallback, " ", o->help);
  for (const core::Converter* c : r.converters())
    if (mine(c)) line("converter ", c->type_name);
  for (const core::Interface* i : r.interfaces())
    if (mine(i)) line("interface ", i->name, " ", i->revision);
  return all;
}

}  // namespace mo::app::checks
