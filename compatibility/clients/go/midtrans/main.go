// Tests midtrans-go with the calls of its README.
package main

import (
	"github.com/midtrans/midtrans-go"
	"github.com/midtrans/midtrans-go/coreapi"

	"clients/sandbox"
)

const serverKey = "SB-Mid-server-go"

var core coreapi.Client

func charge(method coreapi.ChargeReq) *coreapi.ChargeResponse {
	method.TransactionDetails = midtrans.TransactionDetails{OrderID: sandbox.Reference(), GrossAmt: 44000}
	method.Items = &[]midtrans.ItemDetails{{ID: "ITEM1", Price: 44000, Qty: 1, Name: "Someitem"}}
	answer, err := core.ChargeTransaction(&method)
	check(err)
	return answer
}

func check(err *midtrans.Error) {
	if err != nil {
		panic(err.Message)
	}
}

func main() {
	midtrans.DefaultGoHttpClient.Transport = sandbox.Client("midtrans")
	midtrans.DefaultLoggerLevel = &midtrans.LoggerImplementation{LogLevel: midtrans.NoLogging}
	sandbox.Register("midtrans", map[string]string{"server_key": serverKey}, nil)
	core.New(serverKey, midtrans.Sandbox)

	account := charge(coreapi.ChargeReq{
		PaymentType:  coreapi.PaymentTypeBankTransfer,
		BankTransfer: &coreapi.BankTransferDetails{Bank: midtrans.BankBca},
	})
	cancelled, err := core.CancelTransaction(account.OrderID)
	check(err)

	wallet := charge(coreapi.ChargeReq{
		PaymentType: coreapi.PaymentTypeGopay,
		Gopay:       &coreapi.GopayDetails{EnableCallback: true, CallbackUrl: "https://example.com/callback"},
	})
	sandbox.Simulate(wallet.OrderID, "paid")
	paid, err := core.CheckTransaction(wallet.OrderID)
	check(err)
	request := coreapi.RefundReq{RefundKey: "order1-ref1", Amount: 5000, Reason: "Item out of stock"}
	refunded, err := core.RefundTransaction(wallet.OrderID, &request)
	check(err)
	repeated, err := core.RefundTransaction(wallet.OrderID, &request)
	check(err)
	direct, err := core.DirectRefundTransaction(wallet.OrderID, &coreapi.RefundReq{
		RefundKey: "order1-ref2", Amount: 6000, Reason: "Item out of stock",
	})
	check(err)
	listed, err := core.CheckTransaction(wallet.OrderID)
	check(err)
	amounts := []string{}
	for _, refund := range listed.Refunds {
		amounts = append(amounts, refund.RefundAmount)
	}
	_, unknown := core.CheckTransaction("unknown")

	sandbox.Report(map[string]any{
		"charged":   account.TransactionStatus,
		"number":    account.VaNumbers[0].VANumber,
		"cancelled": cancelled.TransactionStatus,
		"paid":      paid.TransactionStatus,
		"refunded":  []string{refunded.TransactionStatus, refunded.RefundAmount},
		"repeated":  repeated.RefundChargebackID == refunded.RefundChargebackID,
		"direct":    []string{direct.RefundKey, direct.RefundAmount},
		"listed":    amounts,
		"unknown":   unknown.GetStatusCode(),
	})
}
