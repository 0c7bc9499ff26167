// Tests xendit-go with the calls of its docs/PaymentRequestApi.md and docs/RefundApi.md.
package main

import (
	"context"
	"net/http"

	xendit "github.com/xendit/xendit-go/v7"
	"github.com/xendit/xendit-go/v7/payment_request"
	"github.com/xendit/xendit-go/v7/refund"

	"clients/sandbox"
)

const secretKey = "xnd_development_go"

func main() {
	http.DefaultClient.Transport = sandbox.Client("xendit")
	sandbox.Register("xendit", map[string]string{"secret_key": secretKey}, nil)
	client := xendit.NewClient(secretKey)
	ctx := context.Background()

	create := func(method payment_request.PaymentMethodParameters) *payment_request.PaymentRequest {
		reference, amount := sandbox.Reference(), 44000.0
		method.Reusability = payment_request.PAYMENTMETHODREUSABILITY_ONE_TIME_USE
		parameters := *payment_request.NewPaymentRequestParameters(payment_request.PAYMENTREQUESTCURRENCY_IDR)
		parameters.ReferenceId, parameters.Amount, parameters.PaymentMethod = &reference, &amount, &method
		answer, _, err := client.PaymentRequestApi.CreatePaymentRequest(ctx).
			IdempotencyKey(reference).
			PaymentRequestParameters(parameters).
			Execute()
		if err != nil {
			panic(err)
		}
		return answer
	}

	account := create(payment_request.PaymentMethodParameters{
		Type: payment_request.PAYMENTMETHODTYPE_VIRTUAL_ACCOUNT,
		VirtualAccount: *payment_request.NewNullableVirtualAccountParameters(
			payment_request.NewVirtualAccountParameters(
				payment_request.VIRTUALACCOUNTCHANNELCODE_BNI,
				*payment_request.NewVirtualAccountChannelProperties("Budi Santoso"),
			),
		),
	})
	found, _, err := client.PaymentRequestApi.GetPaymentRequestByID(ctx, account.GetId()).Execute()
	if err != nil {
		panic(err)
	}

	dana, done := payment_request.EWALLETCHANNELCODE_DANA, "https://shop.example/done"
	wallet := create(payment_request.PaymentMethodParameters{
		Type: payment_request.PAYMENTMETHODTYPE_EWALLET,
		Ewallet: *payment_request.NewNullableEWalletParameters(&payment_request.EWalletParameters{
			ChannelCode:       &dana,
			ChannelProperties: &payment_request.EWalletChannelProperties{SuccessReturnUrl: &done},
		}),
	})
	sandbox.Simulate(wallet.GetReferenceId(), "paid")

	refundOf := func(request string, amount float64) (*refund.Refund, string) {
		asked := *refund.NewCreateRefund()
		asked.SetPaymentRequestId(request)
		asked.SetAmount(amount)
		asked.SetReason("REQUESTED_BY_CUSTOMER")
		answer, _, err := client.RefundApi.CreateRefund(ctx).IdempotencyKey(request).CreateRefund(asked).Execute()
		if err != nil {
			return nil, err.ErrorCode()
		}
		return answer, ""
	}
	made, _ := refundOf(wallet.GetId(), 4000)
	again, _ := refundOf(wallet.GetId(), 4000)
	_, refused := refundOf(account.GetId(), 4000)
	fetched, _, fetchErr := client.RefundApi.GetRefund(ctx, made.GetId()).Execute()
	if fetchErr != nil {
		panic(fetchErr)
	}

	sandbox.Report(map[string]any{
		"created":  account.GetStatus(),
		"found":    found.GetId() == account.GetId(),
		"wallet":   wallet.Actions[0].GetUrlType(),
		"refunded": []any{made.GetChannelCode(), made.GetAmount()},
		"repeated": again.GetId() == made.GetId(),
		"fetched":  fetched.GetId() == made.GetId(),
		"refused":  refused,
	})
}
