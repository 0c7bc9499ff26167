// Package sandbox connects a provider's library to the sandbox, registers merchants there and simulates
// outcomes of payments.
package sandbox

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
)

var base = os.Getenv("SANDBOX_URL")

// This transport is used instead of http.DefaultTransport, because a program may replace http.DefaultTransport
// with a transport that redirects requests.
var direct = &http.Transport{}

// redirected sends requests to the sandbox instead, because the libraries hard-code their provider's host.
type redirected struct {
	to    *url.URL
	mount string
}

func (r redirected) RoundTrip(request *http.Request) (*http.Response, error) {
	sent := request.Clone(request.Context())
	sent.URL.Scheme, sent.URL.Host = r.to.Scheme, r.to.Host
	sent.URL.Path = r.mount + sent.URL.Path
	sent.Host = ""
	return direct.RoundTrip(sent)
}

// Client returns a transport that sends every request to the provider's path in the sandbox.
func Client(provider string) http.RoundTripper {
	to, err := url.Parse(base)
	Check(err)
	return redirected{to, "/" + provider}
}

func post(path string, body any) map[string]any {
	sent, err := json.Marshal(body)
	Check(err)
	client := http.Client{Transport: direct}
	answer, err := client.Post(base+path, "application/json", bytes.NewReader(sent))
	Check(err)
	defer answer.Body.Close()
	result := map[string]any{}
	Check(json.NewDecoder(answer.Body).Decode(&result))
	return result
}

// Register registers a merchant account at the sandbox and returns the credentials that the provider would
// issue.
func Register(provider string, credentials map[string]string, notificationURL any) map[string]any {
	answer := post("/merchants", map[string]any{
		"provider": provider, "credentials": credentials, "notification_url": notificationURL,
	})
	return answer["credentials"].(map[string]any)
}

// Simulate lets the sandbox report the outcome of a payment, and returns the responses of the merchant's
// server to its notifications.
func Simulate(reference, outcome string) []any {
	answer := post("/simulate", map[string]any{"payment_code": reference, "outcome": outcome})
	return answer["callbacks"].([]any)
}

func Reference() string {
	random := make([]byte, 8)
	_, err := rand.Read(random)
	Check(err)
	return "PAY-" + hex.EncodeToString(random)
}

// Report prints the result on a line of its own, because a library may have printed text before it.
func Report(result map[string]any) {
	line, err := json.Marshal(result)
	Check(err)
	fmt.Println()
	fmt.Println(string(line))
}

func Check(err error) {
	if err != nil {
		panic(err)
	}
}
