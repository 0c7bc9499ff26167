// Small replacements of the generated API clients, and programs that create a payment with the guides' code. They let
// the tests run this code without generating and compiling the clients.

/** The generated PHP client, without Guzzle. */
export const phpStubs = `<?php
namespace Gapura { class Configuration { function setHost($url) { $this->url = $url; return $this; }
  function setApiKey() { return $this; } function setApiKeyPrefix() { return $this; } public $url; }
  class ObjectSerializer { static function deserialize($data, $class) { return new $class($data); } } }
namespace Gapura\\Model { interface ModelInterface {}
  class QrisPayment implements ModelInterface { function __construct(public $data) {}
    function getPaymentCode() { return $this->data->payment_code; } function getAmountPaid() { return $this->data->amount_paid; }
    function getMethodType() { return 'qris'; } function getMethodData() { return $this->data->method_data; } }
  class FailureError { function __construct(public $data) {} function getMessage() { return $this->data->message; } } }
namespace Gapura\\Api { class PaymentsApi { function __construct(private $http, private $config) {}
  function createPaymentRequest($key, $order) {
    return new \\GuzzleHttp\\Psr7\\Request('POST', $this->config->url, ['X-Idempotency-Key' => $key], '{}'); } } }
`

/** Creates a payment with the class in the PHP guide. */
export const phpMain = `<?php
require 'GuzzleHttp/autoload.php';
require __DIR__ . '/stubs.php';
require __DIR__ . '/GapuraPayments.php';
try {
  echo (new GapuraPayments($argv[1], 'key'))->create('order-1', new Gapura\\Model\\QrisPayment(null))->data->id;
} catch (GapuraException $error) { echo $error->status, ' ', $error->getMessage(); }
`

/** The packages that the Python guide imports, and a program that creates a payment. */
export const pythonStubs = {
  'httpx.py': `class TransportError(Exception): pass
def Timeout(seconds): pass
`,
  'gapura_client/__init__.py': `import types
def AuthenticatedClient(url, key, prefix, timeout, httpx_args):
    return types.SimpleNamespace(url=url, hooks=httpx_args["event_hooks"]["response"])
`,
  'gapura_client/models.py': `import types
class PaymentEnvelope:
    def __init__(self, data): self.data = data
    @staticmethod
    def from_dict(body): return PaymentEnvelope(types.SimpleNamespace(**body["data"]))
`,
  'gapura_client/api/__init__.py': '',
  'gapura_client/api/payments/__init__.py': '',
  // Reads responses as the generated client does. It parses a response as JSON only if the API documents the response's
  // status, and ignores other responses.
  'gapura_client/api/payments/create_payment.py': `import json, types, urllib.request, urllib.error
import http.client
import httpx
from ...models import PaymentEnvelope
def sync_detailed(client, body, x_idempotency_key):
    request = urllib.request.Request(client.url, b"{}", {"X-Idempotency-Key": x_idempotency_key})
    try:
        response = urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        response = error
    except OSError as error:
        raise httpx.TransportError() from error
    try:
        text = response.read()
    except http.client.IncompleteRead as error:
        raise httpx.TransportError() from error
    for hook in client.hooks:
        hook(types.SimpleNamespace(status_code=response.status, headers=response.headers,
            read=lambda: text, json=lambda: json.loads(text)))
    parsed = None
    if response.status == 200:
        parsed = PaymentEnvelope(json.loads(text)["data"])
    elif response.status in (403, 502):
        parsed = types.SimpleNamespace(error=types.SimpleNamespace(**json.loads(text)["error"]))
    return types.SimpleNamespace(status_code=response.status, headers=response.headers, parsed=parsed)
`,
  'main.py': `import os, sys, time
os.environ.update(GAPURA_URL=sys.argv[1], GAPURA_API_KEY="key")
time.sleep = lambda seconds: None
from payments import GapuraError, create
try:
    print(create("order-1", None)["id"], end="")
except GapuraError as error:
    print(error.status, error, end="")
`,
}

/** The package that oapi-codegen generates. */
export const goStubs = {
  'go.mod': 'module shop\n\ngo 1.21\n',
  'gapura/gapura.go': `package gapura

import ("context"; "encoding/json"; "io"; "net/http"; "strings")

type ErrorCode string
type FailureError struct { Code ErrorCode; Message string }
type Failure struct { Success bool; Error FailureError }
type CreatePayment struct{}
type CreatePaymentParams struct { XIdempotencyKey string }
type Payment struct { Id string; QrisPayment }
func (p Payment) ValueByDiscriminator() (any, error) { return p.QrisPayment, nil }
type QrisPayment struct {
	PaymentCode string \`json:"payment_code"\`
	AmountPaid *int64 \`json:"amount_paid"\`
}
type VirtualAccountPayment struct { QrisPayment; MethodData struct { VaNumber string } }
type CreatePaymentResponse struct {
	Body []byte
	HTTPResponse *http.Response
	JSON200 *struct { Data Payment }
}
func (r CreatePaymentResponse) StatusCode() int { return r.HTTPResponse.StatusCode }

type ClientWithResponses struct { url string; client *http.Client }
type ClientOption func(*ClientWithResponses)
type RequestEditorFn func(context.Context, *http.Request) error
func WithHTTPClient(client *http.Client) ClientOption { return func(c *ClientWithResponses) { c.client = client } }
func WithRequestEditorFn(RequestEditorFn) ClientOption { return func(*ClientWithResponses) {} }
func NewClientWithResponses(url string, options ...ClientOption) (*ClientWithResponses, error) {
	client := &ClientWithResponses{url: url}
	for _, option := range options { option(client) }
	return client, nil
}

// Parses a response only if it is JSON, as the generated client does.
func (c *ClientWithResponses) CreatePaymentWithResponse(_ context.Context, params *CreatePaymentParams, _ CreatePayment) (*CreatePaymentResponse, error) {
	request, _ := http.NewRequest("POST", c.url, strings.NewReader("{}"))
	request.Header.Set("X-Idempotency-Key", params.XIdempotencyKey)
	response, err := c.client.Do(request)
	if err != nil { return nil, err }
	body, err := io.ReadAll(response.Body)
	if err != nil { return nil, err }
	parsed := &CreatePaymentResponse{Body: body, HTTPResponse: response}
	if response.StatusCode == 200 { return parsed, json.Unmarshal(body, &parsed.JSON200) }
	return parsed, nil
}
`,
}

/** Creates a payment with the function in the Go guide. */
export const goMain = `package main

import ("errors"; "fmt"; "shop/gapura")

func main() {
	client, _ := newClient()
	payment, err := create(client, "order-1", gapura.CreatePayment{})
	var failed *apiError
	if errors.As(err, &failed) { fmt.Print(failed.status, " ", failed); return }
	fmt.Print(payment.Id)
}
`

/** The packages that the Java guide imports. */
export const javaStubs = {
  'com/fasterxml/jackson/core/JsonProcessingException.java': `package com.fasterxml.jackson.core;
public class JsonProcessingException extends java.io.IOException {}
`,
  'com/fasterxml/jackson/databind/JsonNode.java': `package com.fasterxml.jackson.databind;
public record JsonNode(String json) {
  public JsonNode at(String pointer) { return get(pointer.substring(pointer.lastIndexOf('/') + 1)); }
  public JsonNode get(String name) {
    var found = java.util.regex.Pattern.compile("\\"" + name + "\\":(\\\\{.*|\\"[^\\"]*|[^,}]*)").matcher(json);
    return new JsonNode(found.find() ? found.group(1).replaceFirst("^\\"", "") : "");
  }
  public String asText() { return json; }
  public long asLong() { return Long.parseLong(json); }
}
`,
  'com/fasterxml/jackson/databind/ObjectMapper.java': `package com.fasterxml.jackson.databind;
import com.fasterxml.jackson.core.JsonProcessingException;
public class ObjectMapper {
  public JsonNode readTree(byte[] json) { return new JsonNode(new String(json)); }
  public <T> T treeToValue(JsonNode json, Class<T> type) {
    try {
      return type.getConstructor(String.class).newInstance(json.json());
    } catch (ReflectiveOperationException failed) {
      throw new IllegalStateException(failed);
    }
  }
  public JsonNode readTree(String json) throws JsonProcessingException {
    if (json.startsWith("{")) return new JsonNode(json);
    throw new JsonProcessingException();
  }
}
`,
  'gapura/JSON.java': `package gapura;
import com.fasterxml.jackson.databind.ObjectMapper;
public class JSON {
  public static JSON getDefault() { return new JSON(); }
  public ObjectMapper getMapper() { return new ObjectMapper(); }
}
`,
  'gapura/ApiException.java': `package gapura;
import java.net.http.HttpHeaders;
public class ApiException extends Exception {
  private int code; private String body; private HttpHeaders headers;
  public ApiException(Throwable cause) { super(cause); }
  public ApiException(int code, HttpHeaders headers, String body) { this.code = code; this.headers = headers; this.body = body; }
  public int getCode() { return code; }
  public String getResponseBody() { return body; }
  public HttpHeaders getResponseHeaders() { return headers; }
}
`,
  'gapura/ApiClient.java': `package gapura;
public class ApiClient {
  public String url;
  public void updateBaseUri(String url) { this.url = url; }
  public void setRequestInterceptor(java.util.function.Consumer<java.net.http.HttpRequest.Builder> interceptor) {}
  public void setReadTimeout(java.time.Duration timeout) {}
}
`,
  'gapura/model/CreatePayment.java': `package gapura.model;
public class CreatePayment {}
`,
  'gapura/model/Payment.java': `package gapura.model;
public record Payment(String json) {
  public Object getActualInstance() { return new QrisPayment(json); }
}
`,
  'gapura/model/QrisPayment.java': `package gapura.model;
import com.fasterxml.jackson.databind.JsonNode;
public record QrisPayment(String json) {
  public String getPaymentCode() { return new JsonNode(json).get("payment_code").asText(); }
  public long getAmountPaid() { return new JsonNode(json).get("amount_paid").asLong(); }
}
`,
  'gapura/model/VirtualAccountPayment.java': `package gapura.model;
public record VirtualAccountPayment(String getPaymentCode, long getAmountPaid, Data getMethodData) {
  public record Data(String getVaNumber) {}
}
`,
  'gapura/api/PaymentsApi.java': `package gapura.api;
import gapura.*;
import gapura.model.*;
import java.net.URI;
import java.net.http.*;
public class PaymentsApi {
  public record Envelope(Payment getData) {}
  private final ApiClient client;
  public PaymentsApi(ApiClient client) { this.client = client; }
  public Envelope createPayment(String key, CreatePayment order) throws ApiException {
    try {
      var request = HttpRequest.newBuilder(URI.create(client.url)).header("X-Idempotency-Key", key)
        .POST(HttpRequest.BodyPublishers.ofString("{}")).build();
      var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() == 200) return new Envelope(new Payment(response.body()));
      throw new ApiException(response.statusCode(), response.headers(), response.body());
    } catch (java.io.IOException | InterruptedException failed) {
      throw new ApiException(failed);
    }
  }
}
`,
}

/** Creates a payment with the class in the Java guide. */
export const javaMain = `import com.fasterxml.jackson.databind.JsonNode;
import gapura.ApiException;
class Main {
  public static void main(String[] args) throws Exception {
    try {
      var payment = new Payments(args[0], "key").create("order-1", new gapura.model.CreatePayment());
      System.out.print(new JsonNode(payment.json()).at("/data/id").asText());
    } catch (ApiException exception) {
      String message = Payments.codeOf(exception).isEmpty()
        ? "HTTP " + exception.getCode() + ", but the response is not from Gapura"
        : new JsonNode(exception.getResponseBody()).at("/error/message").asText();
      System.out.print(exception.getCode() + " " + message);
    }
  }
}
`
