package config

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
)

const (
	envPrefix  = "TALARIA_"
	fileSuffix = "_FILE"
	teamPrefix = envPrefix + "TEAMS_"
)

// PathVariable names the configuration file. It is no key.
const PathVariable = envPrefix + "CONFIG"

// environment assigns the values of TALARIA_ variables. An empty variable
// counts as unset, since many tools can't pass an absent one.
func (l *loader) environment(environ []string) {
	vars := map[string]string{}
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if strings.HasPrefix(name, envPrefix) && name != PathVariable && value != "" {
			vars[name] = value
		}
	}
	l.nameTeams(vars)
	for _, f := range leaves(reflect.ValueOf(&l.cfg).Elem()) {
		l.variable(f, vars)
	}
	for _, name := range sortedKeys(vars) {
		l.warnings.add(origin{variable: name}, "", "names no key and is ignored", "see config.toml for the keys")
	}
}

// nameTeams lets the entries of [teams] come into being that only the
// environment names.
func (l *loader) nameTeams(vars map[string]string) {
	for name := range vars {
		rest, ok := strings.CutPrefix(name, teamPrefix)
		if !ok {
			continue
		}
		for _, field := range leaves(reflect.New(reflect.TypeFor[Team]()).Elem()) {
			team, ok := strings.CutSuffix(rest, "_"+strings.ToUpper(field.key()))
			if ok && team != "" {
				entry(reflect.ValueOf(&l.cfg.Teams).Elem(), strings.ToLower(team))
			}
		}
	}
}

// variable assigns one leaf from its variable, or from the file that its
// _FILE variable names, and takes what it used out of vars.
func (l *loader) variable(f leaf, vars map[string]string) {
	name := variableName(f.key())
	value, set := vars[name]
	delete(vars, name)
	at := origin{variable: name}
	if _, secret := f.value.Interface().(Secret); secret {
		path, fromFile := vars[name+fileSuffix]
		delete(vars, name+fileSuffix)
		if fromFile && set {
			l.problems.add(at, f.key(), "is set beside "+name+fileSuffix, "keep one of the two")
			return
		}
		if fromFile {
			at.variable += fileSuffix
			value, set = l.secretFile(f, path, at)
		}
	}
	if !set {
		return
	}
	l.origins[f.key()] = at
	if err := assignText(f.value, value); err != nil {
		l.problems.addError(at, f.key(), err)
	}
}

// secretFile reads a secret, without the line break that editors put at the end.
func (l *loader) secretFile(f leaf, path string, at origin) (string, bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		l.problems.add(at, f.key(), "can't read "+path+": "+reason(err), "name a file that the user who runs Talaria can read")
		return "", false
	}
	secret := strings.TrimRight(string(data), "\r\n")
	if secret == "" {
		l.problems.add(at, f.key(), path+" is empty", "write the secret into it")
		return "", false
	}
	return secret, true
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Variable returns the value of a variable in an environment, empty if it is
// not there.
func Variable(name string, environ []string) string {
	for _, e := range environ {
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return value
		}
	}
	return ""
}
