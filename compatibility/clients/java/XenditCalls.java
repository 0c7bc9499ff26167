import com.google.gson.Gson;
import com.xendit.Xendit;
import com.xendit.exception.XenditException;
import com.xendit.model.EWalletCharge;
import com.xendit.model.FixedVirtualAccount;
import com.xendit.model.QRCode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/* Tests xendit-java-lib with its README's calls for virtual accounts, QR codes and e-wallets. */
public class XenditCalls {
  static final String SANDBOX = System.getenv("SANDBOX_URL");
  static final String SECRET_KEY = "xnd_development_java";

  static void post(String path, Map<String, Object> body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(SANDBOX + path))
            .POST(HttpRequest.BodyPublishers.ofString(new Gson().toJson(body)))
            .build();
    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  static String reference() {
    return "PAY-" + UUID.randomUUID().toString().substring(0, 18);
  }

  static void pay(String reference) throws Exception {
    post("/simulate/silently", Map.of("payment_code", reference, "outcome", "paid"));
  }

  public static void main(String[] arguments) throws Exception {
    // The library has no setting for its host, so this code redirects its requests to the sandbox.
    Xendit.Opt =
        new Xendit.Option() {
          @Override
          public String getXenditURL() {
            return SANDBOX + "/xendit";
          }
        };
    Xendit.Opt.setApiKey(SECRET_KEY);
    post("/merchants", Map.of("provider", "xendit", "credentials", Map.of("secret_key", SECRET_KEY)));
    Map<String, Object> result = new LinkedHashMap<>();

    Map<String, Object> account = new HashMap<>();
    account.put("external_id", reference());
    account.put("bank_code", "BNI");
    account.put("name", "Budi Santoso");
    account.put("expected_amount", 44000);
    account.put("is_single_use", true);
    FixedVirtualAccount created = FixedVirtualAccount.createClosed(account);
    result.put("account", created.getStatus());
    result.put("number", created.getAccountNumber());
    result.put("open", FixedVirtualAccount.getFixedVA(created.getId()).getStatus());
    pay(created.getExternalId());
    result.put("paid", FixedVirtualAccount.getFixedVA(created.getId()).getStatus());

    QRCode code = QRCode.createQRCode(reference(), QRCode.QRCodeType.DYNAMIC, "IDR", 44000);
    result.put("code", code.getStatus());
    result.put("code found", QRCode.getQRCodeByQRId(code.getId()).getId().equals(code.getId()));

    Map<String, Object> charge = new HashMap<>();
    charge.put("reference_id", reference());
    charge.put("currency", "IDR");
    charge.put("amount", 44000);
    charge.put("checkout_method", "ONE_TIME_PAYMENT");
    charge.put("channel_code", "ID_DANA");
    charge.put("channel_properties", Map.of("success_redirect_url", "https://shop.example/done"));
    EWalletCharge wallet = EWalletCharge.createEWalletCharge(charge);
    result.put("wallet", wallet.getStatus());
    pay(wallet.getReferenceId());
    result.put("wallet paid", EWalletCharge.getEWalletChargeStatus(wallet.getId()).getStatus());

    try {
      account.put("bank_code", "NONE");
      FixedVirtualAccount.createClosed(account);
    } catch (XenditException error) {
      result.put("refused", error.getErrorCode());
    }
    System.out.println(new Gson().toJson(result));
  }
}
