// Preset dictionaries for the compression of messages: texts that most messages contain. The most frequent texts are
// at the end, because deflate needs fewer bits to refer to a nearby text.
//
// A message can be read only with the dictionary that compressed it, so a dictionary must never change, not even by one
// character. Add a dictionary with a new number instead. A test compares the dictionaries' checksums.

/**
 * The compression dictionary for the providers' callbacks. It contains text that recurs in them: field names
 * and constant values, with their punctuation.
 */
const callbacks1 = [
  'merchantOrderId=&amount=&merchantCode=&productDetails=&additionalParam=&paymentCode=&resultCode=00',
  '&merchantUserId=&reference=&publisherOrderId=&spUserHash=&settlementDate=&issuerCode=&customerName=&signature=',
  '"content-type":"application/x-www-form-urlencoded"',
  '{"reference":"","merchant_ref":"","payment_method":"BCA Virtual Account","payment_method_code":"BCAVA',
  '","total_amount":,"fee_merchant":,"fee_customer":0,"total_fee":,"amount_received":,"is_closed_payment":1',
  ',"status":"EXPIRED","status":"PAID","paid_at":,"note":null}',
  '"x-callback-event":"payment_status","x-callback-signature":"',
  '"additional_info":{"origin":{"source":"direct","system":"mid-jokul-checkout-system","product":"CHECKOUT"',
  ',"apiFormat":"JOKUL"},"account":{"id":"SAC-{"service":{"id":"ONLINE_TO_OFFLINE"},"service":{"id":"EMONEY"}',
  ',"service":{"id":"VIRTUAL_ACCOUNT"},"acquirer":{"id":"BCA"},"channel":{"id":"VIRTUAL_ACCOUNT_BCA"},"order":',
  '{"invoice_number":"","amount":},"virtual_account_info":{"virtual_account_number":""},"virtual_account_payment":',
  '{"date":"","systrace_number":"","reference_number":"","channel_code":"","request_id":"","identifier":[{"name":',
  '"REQUEST_ID","value":""},{"name":"REFERENCE","value":""},{"name":"CHANNEL_TYPE","value":""}]},"transaction":',
  '{"status":"SUCCESS","date":"T","original_request_id":""}',
  '"client-id":"MCH-","request-id":"","request-timestamp":"","signature":"HMACSHA256=',
  '{"partnerServiceId":"","customerNo":"","virtualAccountNo":"","virtualAccountName":"","virtualAccountEmail":"',
  '","virtualAccountPhone":"62","trxId":"","paymentRequestId":"","paidAmount":{"value":".00","currency":"IDR"}',
  ',"referenceNo":"","additionalInfo":{"bank":"BCA","paymentFlagStatus":"00","merchantId":"","paidTime":"',
  '{"originalReferenceNo":"","originalPartnerReferenceNo":"","latestTransactionStatus":"00"',
  ',"transactionStatusDesc":"Success","amount":{"value":".00","currency":"IDR"},"additionalInfo":{"qris":true',
  ',"paymentTime":"T+07:00","x-timestamp":"T+07:00","x-signature":"","x-partner-id":"","x-external-id":"',
  '","channel-id":"',
  '{"id":"","payment_id":"","callback_virtual_account_id":"","owner_id":"","external_id":"","account_number":"',
  '","bank_code":"","transaction_timestamp":"T.Z","amount":,"merchant_code":"","currency":"IDR","country":"ID"',
  ',"sender_name":"","payment_detail":{"payment_interface":"","remark":"","reference":"","sender_account_number":"',
  '{"event":"ewallet.capture","business_id":"","created":"","data":{"id":"ewc_","reference_id":"","status":',
  '"SUCCEEDED","currency":"IDR","checkout_method":"ONE_TIME_PAYMENT","charge_amount":,"capture_amount":',
  ',"refunded_amount":0,"channel_code":"OVO","channel_properties":{"mobile_number":"+62"},"actions":null',
  ',"is_redirect_required":false,"callback_url":"https://","void_status":null,"voided_at":null,"capture_now":true',
  ',"customer_id":null,"payment_method_id":null,"failure_code":null,"basket":null,"metadata":null',
  '{"event":"qr.payment","api_version":"2022-07-31","business_id":"","created":"","data":{"id":"qrpy_","business_id":"',
  '","currency":"IDR","amount":,"status":"SUCCEEDED","created":"","qr_id":"qr_","qr_string":"00020101021226',
  '","reference_id":"","type":"DYNAMIC","channel_code":"ID_DANA","expires_at":"","basket":null,"metadata":null',
  ',"payment_detail":{"receipt_id":"","source":"GOPAY","name":null,"account_details":null}}}',
  '{"event":"payment.capture","business_id":"","created":"T.000Z","data":{"payment_id":"py-","business_id":"',
  '","status":"SUCCEEDED","payment_request_id":"pr-","request_amount":,"customer_id":"","channel_code":"',
  'BRI_VIRTUAL_ACCOUNT","country":"ID","currency":"IDR","reference_id":"","description":"","channel_properties":',
  '{"type":"PAY","capture_method":"AUTOMATIC","captures":[{"capture_id":"cptr-","capture_amount":',
  ',"capture_timestamp":"T.000Z"}],"payment_details":{},"updated":"T.000Z"},"api_version":"v3"}',
  '"x-callback-token":"[redacted]","webhook-id":"',
  '"refund_amount":".00","refund_key":"","refunds":[{"refund_chargeback_id":,"refund_chargeback_uuid":"","created_at":"',
  '","reason":"","refund_method":"online"}],"masked_card":"","approval_code":"","bank":"bni","eci":"05"',
  ',"channel_response_message":"Approved","channel_response_code":"00","card_type":"credit"',
  ',"transaction_type":"on-us","merchant_cross_reference_id":"","issuer":"gopay","acquirer":"gopay"',
  ',"transaction_status":"cancel","transaction_status":"expire","payment_type":"shopeepay","payment_type":"gopay"',
  ',"payment_type":"qris","payment_type":"cstore","store":"indomaret","store":"alfamart","payment_code":"',
  '","permata_va_number":"","bill_key":"","biller_code":"","payment_type":"echannel","expiry_time":"',
  '","status_code":"201","transaction_status":"pending"',
  '{"accept":"*/*","accept-language":"*","sec-fetch-mode":"cors","accept-encoding":"gzip, deflate","via":"1.1 "',
  ',"x-forwarded-for":"","x-forwarded-proto":"https","x-forwarded-host":"","x-forwarded-port":"443","x-real-ip":"',
  '","traceparent":"00-","user-agent":"axios/","user-agent":"',
  '{"host":"127.0.0.1:","connection":"keep-alive","content-type":"application/json","accept":"application/json"',
  ',"user-agent":"Veritrans","accept-language":"*","sec-fetch-mode":"cors","accept-encoding":"gzip, deflate"',
  ',"content-length":"6"}\0{"va_numbers":[{"va_number":"","bank":"bca"}],"transaction_time":"2026-',
  '","transaction_status":"settlement","transaction_id":"","status_message":"midtrans payment notification"',
  ',"status_code":"200","signature_key":"","settlement_time":"2026-","payment_type":"bank_transfer"',
  ',"payment_amounts":[],"order_id":"GP2","merchant_id":"G","gross_amount":"0000.00","fraud_status":"accept"',
  ',"currency":"IDR"}',
].join('')

/**
 * The compression dictionary for webhook bodies (webhooks/event.ts): field names and frequent values, in the
 * order in which the fields appear.
 */
const webhooks1 = [
  '{"type":"webhook.test","previous_status":null,"data":{"message":"This event tests your callback URL and concerns no ',
  'payment."}}"type":"payment.failed""type":"payment.cancelled""type":"payment.challenged""type":"payment.paid_again"',
  '"type":"payment.reversed""type":"payment.refunded""type":"refund.failed""refund":{"id":"","payment_id":"","amount":',
  ',"reason":"","status":"succeeded"},"entry_type":"debit","reason":"refund"',
  '"method_type":"over_the_counter","method_data":{"type":"over_the_counter","store_name":"Alfamart","payment_code":"',
  '"method_type":"e_wallet","method_data":{"type":"e_wallet","wallet_type":"GOPAY","redirect_url":"https://","deeplink":"',
  '"method_type":"qris","method_data":{"type":"qris","qr_string":"00020101021226","qr_image_url":"https://',
  '"provider":"xendit""provider":"doku""provider":"tripay""provider":"duitku""status":"failed","failure_reason":"',
  '"type":"payment.expired","status":"expired","expires_at":"","paid_at":null,"amount_paid":null,"mode":"test"',
  '{"id":"","type":"payment.paid","created_at":"2026-","mode":"live","previous_status":"pending","data":{"id":"',
  '","tenant_id":"","mode":"live","payment_code":"GP2","idempotency_key":"","amount":000000,"currency":"IDR"',
  ',"method_type":"virtual_account","method_data":{"type":"virtual_account","bank":"BCA","va_number":""}',
  ',"status":"paid","provider":"midtrans","provider_payment_id":"","customer_name":"","customer_email":"@gmail.com"',
  ',"customer_phone":"08","items":[{"id":"","name":"","price":000000,"quantity":1}],"expires_at":"2026-',
  '","paid_at":"2026-T00:00.000Z","amount_paid":000000,"amount_refunded":0,"amount_reversed":0,"failure_reason":null',
  ',"created_at":"2026-","updated_at":"2026-"},"ledger_entry":{"entry_type":"credit","amount":000000,"reason":"payment',
  ' paid"}}',
].join('')

export type MessageKind = 'callback' | 'webhook'

/**
 * The compression dictionaries by number. The first byte of each compressed message is the number of its
 * dictionary.
 */
export const dictionaries: ReadonlyMap<number, Buffer> = new Map([
  [1, Buffer.from(callbacks1)],
  [2, Buffer.from(webhooks1)],
])

/**
 * Maps each kind of message to the number of the compression dictionary with which new messages of this kind
 * are compressed.
 */
export const currentDictionary: Record<MessageKind, number> = { callback: 1, webhook: 2 }
