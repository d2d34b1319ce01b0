// Package wire is what the provider packages share below their SDKs: one HTTP
// exchange with a model endpoint, watched and bounded, its failures already in
// the agent's own terms.
//
// An Endpoint stands in for the SDK's HTTP client. It reads the answer's
// status and first byte before the SDK does, so that an error status, a login
// page or a lone JSON document never reach a stream decoder; it ends an
// exchange that has gone silent; it bounds what an endpoint can make us read;
// and it keeps keys out of errors. What the bytes of a good answer mean is
// left to the SDKs, and trying again to the chain above.
//
// # Decisions
//
// Errors are made here and not from the SDKs' error types: those hide the
// Retry-After header or keep the whole body, and the two vendors' error bodies
// are alike enough for one reader that also understands the many compatible
// endpoints.
//
// Redirects are not followed. An endpoint has no reason for one, and Go's
// client would carry an x-api-key header to whatever host it names.
package wire
