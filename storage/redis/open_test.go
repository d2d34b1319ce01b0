package redis_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
)

func TestOpenServerOnTheNetworkIsRefused(t *testing.T) {
	for _, url := range []string{
		"redis://192.0.2.1", "rediss://192.0.2.1", "redis://db.example", "redis+cluster://127.0.0.1,192.0.2.1",
		"redis+sentinel://192.0.2.1?master=m", "redis://localhost.example", "redis://[2001:db8::1]",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // so that what connects first has another error
		_, err := redis.Open(ctx, url, redis.Options{})
		if !errors.Is(err, storage.ErrInvalid) || !strings.Contains(err.Error(), "no password") {
			t.Errorf("%s: error is %v, want a refusal", url, err)
		}
	}
}

func TestPasswordIsUsedAndNeverTold(t *testing.T) {
	s := redistest.Start(t, redistest.Options{Args: []string{"--requirepass", "canary"}})
	d := open(t, strings.Replace(s.URL(), "://", "://:canary@", 1), redis.Options{})
	if _, err := d.Now(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{
		s.URL(), strings.Replace(s.URL(), "://", "://:canary-wrong@", 1), strings.Replace(s.URL(), "://", "://canary:canary@", 1),
		"redis://:canary@127.0.0.1:1", "redis+cluster://:canary@127.0.0.1:1", "redis+sentinel://:canary@127.0.0.1:1?master=m",
	} {
		_, err := redis.Open(t.Context(), url, redis.Options{})
		if !errors.Is(err, storage.ErrUnavailable) {
			t.Errorf("%s: error is %v, want %v", url, err, storage.ErrUnavailable)
		} else if strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: the password is in %v", url, err)
		}
	}
}

func TestPrefixMustBePlain(t *testing.T) {
	for _, p := range []string{"a:b", "a*", "a{b}", "ä", "a b"} {
		if _, err := redis.Open(t.Context(), single.URL(), redis.Options{Prefix: p}); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("%q: error is %v, want %v", p, err, storage.ErrInvalid)
		}
	}
}

func TestEncryptedConnection(t *testing.T) {
	cert, key, roots := certificate(t)
	s := redistest.Start(t, redistest.Options{Args: []string{
		"--tls-port", "0", "--tls-cert-file", cert, "--tls-key-file", key, "--tls-auth-clients", "no",
	}})
	// The port that was chosen becomes the encrypted one.
	c := admin(t, s)
	_, port, _ := net.SplitHostPort(s.Addr())
	if err := c.ConfigSet(t.Context(), "port", "0").Err(); err != nil {
		t.Fatal(err)
	}
	if err := c.ConfigSet(t.Context(), "tls-port", port).Err(); err != nil {
		t.Fatal(err)
	}
	url := "rediss://" + s.Addr()
	d := open(t, url, redis.Options{TLS: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}})
	if _, err := d.Now(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := redis.Open(t.Context(), url, redis.Options{}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("error is %v, want one about the unknown certificate", err)
	}
}

// certificate writes one for loopback and returns also the roots to trust it.
func certificate(t *testing.T) (cert, key string, roots *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	roots = x509.NewCertPool()
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	roots.AppendCertsFromPEM(certPEM)
	for path, content := range map[string][]byte{
		cert: certPEM, key: pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER}),
	} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key, roots
}

func TestSentinelLeadsToTheServer(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	sentinel := redistest.StartSentinel(t, s)
	d := open(t, "redis+sentinel://"+sentinel.Addr()+"?master="+redistest.Master, redis.Options{Prefix: "p"})
	write(t, d, "1")
	direct := open(t, s.URL(), redis.Options{Prefix: "p"})
	if docs, err := direct.Get(t.Context(), storage.Shard(1), ref); err != nil || len(docs) != 1 {
		t.Errorf("found %v, %v on the server itself", docs, err)
	}
	_, err := redis.Open(t.Context(), "redis+sentinel://"+sentinel.Addr()+"?master=other", redis.Options{})
	if !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("error is %v, want %v", err, storage.ErrUnavailable)
	}
}

func TestClientLibraryLogsWhereTold(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	var out bytes.Buffer
	d := open(t, s.URL(), redis.Options{Log: slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	s.Kill()
	if _, err := d.Now(t.Context()); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("error is %v, want %v", err, storage.ErrUnavailable)
	}
	open(t, single.URL(), redis.Options{}) // takes the log back
	if !strings.Contains(out.String(), "dial") {
		t.Errorf("the log is %q", out.String())
	}
}
