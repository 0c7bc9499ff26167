import com.google.gson.Gson;
import com.midtrans.Config;
import com.midtrans.httpclient.CoreApi;
import com.midtrans.httpclient.TransactionApi;
import com.midtrans.httpclient.error.MidtransError;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.json.JSONArray;
import org.json.JSONObject;

/* Tests Midtrans' java-library with its README's calls for charges and their later states. */
public class MidtransCalls {
  static final String SANDBOX = System.getenv("SANDBOX_URL");
  static final String SERVER_KEY = "SB-Mid-server-java";

  // The library has no setting for its host, so this code replaces the provider's URL with the sandbox's URL.
  static final Config CONFIG =
      new Config(SERVER_KEY, "", false) {
        @Override
        public String getCoreApiURL() {
          return SANDBOX + "/midtrans/";
        }
      };

  static void post(String path, Map<String, Object> body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(SANDBOX + path))
            .POST(HttpRequest.BodyPublishers.ofString(new Gson().toJson(body)))
            .build();
    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  static JSONObject charge(String type, Map<String, Object> method) throws MidtransError {
    Map<String, Object> body = new LinkedHashMap<>(method);
    body.put("payment_type", type);
    String order = "PAY-" + UUID.randomUUID().toString().substring(0, 18);
    body.put("transaction_details", Map.of("order_id", order, "gross_amount", 44000));
    return CoreApi.chargeTransaction(body, CONFIG);
  }

  static JSONObject refund(String order, String key, String amount) throws MidtransError {
    Map<String, String> refund = Map.of("refund_key", key, "amount", amount, "reason", "Item out of stock");
    return TransactionApi.refundTransaction(order, refund, CONFIG);
  }

  public static void main(String[] arguments) throws Exception {
    post("/merchants", Map.of("provider", "midtrans", "credentials", Map.of("server_key", SERVER_KEY)));
    Map<String, Object> result = new LinkedHashMap<>();

    JSONObject account = charge("bank_transfer", Map.of("bank_transfer", Map.of("bank", "bca")));
    result.put("charged", account.getString("transaction_status"));
    result.put("number", account.getJSONArray("va_numbers").getJSONObject(0).getString("va_number"));
    JSONObject cancelled = TransactionApi.cancelTransaction(account.getString("order_id"), CONFIG);
    result.put("cancelled", cancelled.getString("transaction_status"));
    Map<String, Object> bill = Map.of("bill_info1", "Payment:", "bill_info2", "Online purchase");
    JSONObject unpaid = charge("echannel", Map.of("echannel", bill));
    JSONObject expired = TransactionApi.expireTransaction(unpaid.getString("order_id"), CONFIG);
    result.put("expired", expired.getString("transaction_status"));

    String order = charge("gopay", Map.of()).getString("order_id");
    post("/simulate/silently", Map.of("payment_code", order, "outcome", "paid"));
    result.put("paid", TransactionApi.checkTransaction(order, CONFIG).getString("transaction_status"));
    JSONObject first = refund(order, "reference1", "5000");
    result.put(
        "refunded", List.of(first.getString("transaction_status"), first.getString("refund_amount")));
    result.put(
        "repeated",
        refund(order, "reference1", "5000").get("refund_chargeback_id").equals(first.get("refund_chargeback_id")));
    Map<String, String> wanted = Map.of("refund_key", "reference2", "amount", "6000", "reason", "Item out of stock");
    JSONObject direct = TransactionApi.directRefundTransaction(order, wanted, CONFIG);
    result.put("direct", List.of(direct.getString("refund_key"), direct.getString("refund_amount")));
    JSONArray refunds = TransactionApi.checkTransaction(order, CONFIG).getJSONArray("refunds");
    List<String> listed = new ArrayList<>();
    for (int index = 0; index < refunds.length(); index++) {
      listed.add(refunds.getJSONObject(index).getString("refund_amount"));
    }
    result.put("listed", listed);

    try {
      TransactionApi.checkTransaction("unknown", CONFIG);
    } catch (MidtransError error) {
      result.put("unknown", error.getStatusCode());
    }
    System.out.println(new Gson().toJson(result));
  }
}
