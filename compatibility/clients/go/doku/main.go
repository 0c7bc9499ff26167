// Tests doku-golang-library with its README's calls for virtual accounts and wallets, and its validation of a
// notification.
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"

	"github.com/PTNUSASATUINTIARTHA-DOKU/doku-golang-library/controllers"
	"github.com/PTNUSASATUINTIARTHA-DOKU/doku-golang-library/doku"
	checkStatus "github.com/PTNUSASATUINTIARTHA-DOKU/doku-golang-library/models/directdebit/checkstatus"
	"github.com/PTNUSASATUINTIARTHA-DOKU/doku-golang-library/models/directdebit/jumpapp"
	"github.com/PTNUSASATUINTIARTHA-DOKU/doku-golang-library/models/directdebit/refund"
	checkVa "github.com/PTNUSASATUINTIARTHA-DOKU/doku-golang-library/models/va/checkVa"
	createVa "github.com/PTNUSASATUINTIARTHA-DOKU/doku-golang-library/models/va/createVa"
	deleteVa "github.com/PTNUSASATUINTIARTHA-DOKU/doku-golang-library/models/va/deleteVa"
	updateVa "github.com/PTNUSASATUINTIARTHA-DOKU/doku-golang-library/models/va/updateVa"

	"clients/sandbox"
)

const (
	clientID  = "BRN-GO"
	secretKey = "SK-go"
	serviceID = "   77777"
	channel   = "VIRTUAL_ACCOUNT_BRI"
	dana      = "EMONEY_DANA_SNAP"
	ipAddress = "203.0.113.25"
)

var snap doku.Snap
var notified []any

func keys() (private, public string) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	sandbox.Check(err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	sandbox.Check(err)
	private = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	der, err = x509.MarshalPKIXPublicKey(&key.PublicKey)
	sandbox.Check(err)
	return private, string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

// Handles DOKU's two requests to the merchant: one for an access token, and one with a notification that
// carries this token.
func onCall(providerKey *string) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		if strings.HasSuffix(request.URL.Path, "/access-token/b2b") {
			token := snap.ValidateSignatureAndGenerateToken(request, *providerKey)
			response.Header().Set("content-type", "application/json")
			sandbox.Check(json.NewEncoder(response).Encode(token.Body))
			return
		}
		bearer := strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")
		valid, _ := snap.ValidateTokenB2B(bearer)
		notified = append(notified, []any{request.URL.Path, valid})
	}
}

func inWIB(hours time.Duration) string {
	zone := time.FixedZone("WIB", 7*60*60)
	return time.Now().In(zone).Add(hours * time.Hour).Format("2006-01-02T15:04:05-07:00")
}

func amount(value string) createVa.TotalAmount {
	return createVa.TotalAmount{Value: value, Currency: "IDR"}
}

func create(name string) (trxID, customerNo, code string) {
	trxID, customerNo = sandbox.Reference(), strconv.FormatInt(time.Now().UnixMicro(), 10)
	answer, _ := snap.CreateVa(createVa.CreateVaRequestDto{
		PartnerServiceId: serviceID, CustomerNo: customerNo, VirtualAccountNo: serviceID + customerNo,
		VirtualAccountName: name, VirtualAccountEmail: "toru@example.com", VirtualAccountPhone: "6281828384858",
		TrxId: trxID, TotalAmount: amount("12500.00"),
		AdditionalInfo: createVa.AdditionalInfo{
			Channel: channel, VirtualAccountConfig: createVa.VirtualAccountConfig{ReusableStatus: false},
		},
		VirtualAccountTrxType: "C", ExpiredDate: inWIB(24),
	})
	return trxID, customerNo, answer.ResponseCode
}

func status(customerNo string) checkVa.CheckStatusVaResponseDto {
	answer, err := snap.CheckStatusVa(checkVa.CheckStatusVARequestDto{
		PartnerServiceId: serviceID, CustomerNo: customerNo, VirtualAccountNo: serviceID + customerNo,
	})
	sandbox.Check(err)
	return answer
}

func main() {
	http.DefaultTransport = sandbox.Client("doku")
	var providerKey string
	merchant := httptest.NewServer(onCall(&providerKey))
	private, public := keys()
	issued := sandbox.Register("doku", map[string]string{
		"client_id": clientID, "secret_key": secretKey, "public_key": public,
	}, merchant.URL)
	providerKey = issued["provider_public_key"].(string)
	doku.TokenController = controllers.TokenController{}
	doku.VaController = controllers.VaController{}
	doku.NotificationController = controllers.NotificationController{}
	doku.DirectDebitController = &controllers.DirectDebitController{}
	snap = doku.Snap{
		PrivateKey: private, PublicKey: public, ClientId: clientID, SecretKey: secretKey, Issuer: "gapura",
	}
	snap.GetTokenB2B()

	trxID, customerNo, created := create("Toru Yamashita")
	pending := status(customerNo)
	active := "ACTIVE"
	updated, err := snap.UpdateVa(updateVa.UpdateVaDTO{
		PartnerServiceId: serviceID, CustomerNo: customerNo, VirtualAccountNo: serviceID + customerNo,
		VirtualAccountName: "Test Example", VirtualAccountEmail: "toru@example.com",
		VirtualAccountPhone: "6281828384858", TrxId: trxID, TotalAmount: amount("20000.00"),
		AdditionalInfo: updateVa.UpdateVaAdditionalInfoDTO{
			Channel: channel, VirtualAccountConfig: updateVa.UpdateVaVirtualAccountConfigDTO{Status: active},
		},
		VirtualAccountTrxType: "C", ExpiredDate: inWIB(48),
	})
	sandbox.Check(err)
	callbacks := sandbox.Simulate(trxID, "paid")
	paid := status(customerNo)

	otherID, otherNo, _ := create("Toru Yamashita")
	deleted, err := snap.DeletePaymentCode(deleteVa.DeleteVaRequestDto{
		PartnerServiceId: serviceID, CustomerNo: otherNo, VirtualAccountNo: serviceID + otherNo, TrxId: otherID,
		AdditionalInfo: deleteVa.DeleteVaRequestAdditionalInfo{Channel: channel},
	})
	sandbox.Check(err)

	walletID := sandbox.Reference()
	wallet, err := snap.DoPaymentJumpApp(jumpapp.PaymentJumpAppRequestDTO{
		PartnerReferenceNo: walletID, ValidUpTo: inWIB(1), PointOfInitiation: "app", Amount: amount("11500.00"),
		UrlParam:       []jumpapp.UrlParamDTO{{Url: "https://shop.example/done", Type: "PAY_RETURN", IsDeepLink: "N"}},
		AdditionalInfo: jumpapp.PaymentJumpAppAdditionalInfoRequestDTO{Channel: dana, OrderTitle: "Shoes"},
	}, "device", ipAddress)
	sandbox.Check(err)
	sandbox.Simulate(walletID, "paid")
	refunded, err := snap.DoRefund(refund.RefundRequestDTO{
		OriginalPartnerReferenceNo: walletID, RefundAmount: amount("1500.00"), PartnerRefundNo: "INV-REF-001",
		Reason: "one item", AdditionalInfo: refund.RefundAdditionalInfoRequestDTO{Channel: dana},
	}, ipAddress, "auth-code", "device")
	sandbox.Check(err)
	walletStatus, err := snap.DoCheckStatus(checkStatus.CheckStatusRequestDTO{
		OriginalPartnerReferenceNo: walletID, ServiceCode: "55",
		AdditionalInfo: checkStatus.CheckStatusAdditionalInfoRequestDTO{Channel: dana},
	})
	sandbox.Check(err)
	_, _, refusedByLibrary := create("Toru#Yamashita")

	sandbox.Report(map[string]any{
		"created":                created,
		"refused by the library": refusedByLibrary,
		"pending":                pending.ResponseCode,
		"updated":                updated.ResponseCode,
		"callbacks":              callbacks,
		"notified":               notified,
		"paid":                   paid.VirtualAccountData.PaidAmount,
		"deleted":                deleted.ResponseCode,
		"wallet":                 wallet.ResponseCode,
		"refunded":               []any{refunded.ResponseCode, refunded.RefundAmount},
		"wallet status":          []any{walletStatus.ResponseCode, walletStatus.RefundHistory},
	})
}
