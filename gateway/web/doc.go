// Package web is the one listener of a running Talaria: health for container
// platforms, metrics for Prometheus, and the doors that chat platforms call.
// It knows nothing of what is behind a probe or a hook.
//
// It asks nobody who they are. So it binds to loopback unless the operator
// says otherwise, and refuses requests whose Host is a name it does not know:
// a page in the operator's browser could otherwise reach it by giving its own
// name this machine's address.
package web
