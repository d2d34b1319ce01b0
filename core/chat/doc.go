// Package chat is the vocabulary that every platform is normalised into: what
// happened (Event), where (Address), who (Author), what is to be said (Post,
// Delivery), what came of it (Receipt, Error), and what an adapter can do
// (Adapter and the optional powers).
//
// It knows no platform by name and imports nothing of ours. A platform's ids
// are opaque strings here; they never pass through a number.
//
// # Decisions
//
// Rendering is a method of the adapter, not of the outbox: only the adapter
// knows its platform's units and markup, and the outbox keeps final payloads
// so that a retry after a crash sends the very same bytes. Render is pure, so
// the seam command "talaria render" runs exactly what production runs.
//
// Acknowledging is tied to the error of Handler.Handle: nil means the event is
// kept, and only then may the adapter tell its platform so.
package chat
