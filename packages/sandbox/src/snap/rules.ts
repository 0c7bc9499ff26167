import type { Rule } from '../rules.ts'

// The rules for requests over BI-SNAP (Indonesia's standard for payment APIs). The sources are the tables on
// docs.midtrans.com and the examples of Midtrans' official libraries, because the libraries do not check bodies. Node:
// midtrans-client 1.4.3 (lib/snapBi). Java: midtrans-java 3.2.2 (com/midtrans/snapbi). PHP: midtrans-php 2.6.2
// (SnapBi). Python (midtransclient 1.4.2) and Go (midtrans-go 1.3.8) do not support SNAP.
//
// The sandbox does not enforce the following documented rules, because requests of Midtrans' own libraries violate
// them:
// - X-TIMESTAMP must have 25 characters including a UTC offset (docs transaction-history-list). However, the Node and
//   Java libraries send a UTC time with a fraction of a second.
// - The documentation (access-token-api) allows no other name for the field grantType, but all libraries send
//   it as grant_type.
// - urlParams must be a list (docs direct-debit-api-gopay), but the examples of all libraries use the name urlParam. In
//   the Node and Java examples, urlParam is a single object. The sandbox accepts urlParam, as it accepts any unknown
//   field.
//
// The sandbox verifies the signature over the text as sent, as docs signature-generation requires. Requests of the PHP
// library with slashes or non-ASCII letters are therefore rejected: this library escapes these characters only after
// signing.

/** The characters that Java's okhttp and Node's axios accept in a header value. */
const headerText = /^[\t\x20-\x7e]*$/

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

const json: Rule[] = [
  {
    field: 'Content-Type',
    in: 'header',
    required: true,
    pattern: /^application\/json\b/i,
    source:
      'the documentation and the libraries for Node and PHP send the Content-Type application/json; the library for Java adds charset=utf-8',
  },
  {
    field: 'Accept',
    in: 'header',
    pattern: /application\/json|\*\/\*/i,
    source:
      'the libraries for Node, Java and PHP send the header Accept with the value application/json; the docs do not mention the header',
  },
]

const timestamp: Rule = {
  field: 'X-TIMESTAMP',
  in: 'header',
  required: true,
  pattern: isoTime,
  source:
    'the docs require a time in ISO 8601 in X-TIMESTAMP; the libraries send different forms: Node sends UTC with milliseconds, Java sends UTC with up to nanoseconds, and PHP sends a time with an offset',
}

export const tokenRules: readonly Rule[] = [
  ...json,
  {
    field: 'X-CLIENT-KEY',
    in: 'header',
    required: true,
    pattern: headerText,
    source:
      'the docs page access-token-api requires the header X-CLIENT-KEY; the Java library throws an error if the header is missing',
  },
  timestamp,
]

/** The rules for the headers of every signed call. The call's token, timestamp and signature are checked first. */
export const headerRules: readonly Rule[] = [
  ...json,
  timestamp,
  {
    field: 'X-PARTNER-ID',
    in: 'header',
    required: true,
    pattern: headerText,
    source:
      'the docs page core-api-snap-open-api-overview requires X-PARTNER-ID; the Java library throws if it is missing',
  },
  {
    field: 'X-EXTERNAL-ID',
    in: 'header',
    required: true,
    length: [1, 36],
    pattern: /^[A-Za-z0-9\-_]+$/,
    source:
      'the docs allow 36 alphanumeric characters and recommend a UUID; Node and Java send a UUID; PHP sends letters, digits and dashes',
  },
  {
    field: 'CHANNEL-ID',
    in: 'header',
    required: true,
    pattern: /^\d{5}$/,
    source: 'the docs require a CHANNEL-ID of five digits; Node, Java and PHP send any value, such as 12345',
  },
  {
    field: 'X-DEVICE-ID',
    in: 'header',
    pattern: headerText,
    source:
      'the libraries for Node, Java and PHP send X-DEVICE-ID with each call, even without a value; the docs omit X-DEVICE-ID for payments',
  },
]

function amount(field: string, source: string, required: { required?: true } = { required: true }): Rule[] {
  return [
    { field: `${field}.value`, ...required, length: [4, 19], pattern: /^\d{1,16}\.\d{2}$/, source },
    {
      field: `${field}.currency`,
      ...required,
      oneOf: ['IDR'],
      source: 'the docs and the libraries for Node, Java and PHP use the currency IDR in amounts',
    },
  ]
}

const texts = (source: string, ...fields: string[]): Rule[] => fields.map(field => ({ field, source }))

const examples = 'the Node, Java and PHP examples'
const bankTransfer = 'the docs page virtual-account-api-bank-transfer'
const status = 'the docs page get-transaction-status-api'
const cancel = 'the docs page cancel-api'
const refund = 'the docs page refund-api'

/** The validation rules for the customer details and the items in a payment's additionalInfo. */
const order: Rule[] = [
  { field: 'additionalInfo.customerDetails', type: 'object', source: examples },
  ...texts(
    examples,
    ...['firstName', 'lastName', 'email', 'phone'].map(name => `additionalInfo.customerDetails.${name}`),
  ),
  { field: 'additionalInfo.items', type: 'list', source: examples },
  ...texts(
    examples,
    ...['id', 'name', 'brand', 'category', 'merchantName'].map(name => `additionalInfo.items[].${name}`),
  ),
  ...amount('additionalInfo.items[].price', `in ${examples}, amounts have two decimals`),
  { field: 'additionalInfo.items[].quantity', type: 'whole number', source: examples },
]

const account: Rule[] = [
  {
    field: 'partnerServiceId',
    required: true,
    length: [8, 8],
    pattern: /^\s{0,7}\d{1,8}$/,
    source: `the field partnerServiceId is described in ${bankTransfer}; in ${examples}, its values are padded with spaces on the left`,
  },
  { field: 'customerNo', required: true, length: [1, 20], pattern: /^\d+$/, source: bankTransfer },
  {
    field: 'virtualAccountNo',
    required: true,
    length: [1, 28],
    source: `${bankTransfer}; in ${examples}, partnerServiceId is padded with spaces, and virtualAccountNo begins with these spaces`,
  },
]

const merchantOfAccount: Rule = {
  field: 'additionalInfo.merchantId',
  required: true,
  source: `${bankTransfer}; ${examples}`,
}

const originals: Rule[] = [
  { field: 'originalReferenceNo', length: [1, 64], source: `${status}; ${examples}` },
  { field: 'originalPartnerReferenceNo', length: [1, 64], source: `${status}; ${examples}` },
  { field: 'originalExternalId', length: [1, 36], source: `${status}; ${examples}` },
]

const returned: Rule[] = [
  ...originals,
  {
    field: 'originalPartnerReferenceNo',
    required: true,
    source: `${refund} requires originalPartnerReferenceNo; the Node and Java examples for wallets omit this field`,
  },
  {
    field: 'partnerRefundNo',
    required: true,
    length: [1, 64],
    pattern: /^[A-Za-z0-9_-]+$/,
    source: `${refund} requires partnerRefundNo, although Node's wallet example omits it, and its value in Java's wallet example contains a space`,
  },
  ...amount('refundAmount', `on ${refund} and in ${examples}, amounts have two decimals`, {}),
  { field: 'reason', length: [1, 256], source: `${refund}; ${examples}` },
]

export const snapRules = {
  createVa: [
    ...account,
    { field: 'virtualAccountName', required: true, length: [1, 255], source: bankTransfer },
    { field: 'virtualAccountEmail', length: [1, 255], source: bankTransfer },
    {
      field: 'virtualAccountPhone',
      length: [1, 30],
      pattern: /^\+?\d+$/,
      source: `${bankTransfer} allows at most 30 characters in virtualAccountPhone, and all phone numbers in ${examples} consist of digits`,
    },
    {
      field: 'trxId',
      required: true,
      length: [1, 36],
      source: `${bankTransfer} requires trxId to equal X-EXTERNAL-ID, as in ${examples}`,
    },
    ...amount('totalAmount', `on ${bankTransfer} and in ${examples}, amounts have two decimals`),
    {
      field: 'expiredDate',
      pattern: isoTime,
      source: `${bankTransfer}; in the example of the Node library, expiredDate is a time in UTC`,
    },
    merchantOfAccount,
    { field: 'additionalInfo.bank', required: true, source: `${bankTransfer}; ${examples}` },
    {
      field: 'additionalInfo.flags.shouldRandomizeVaNumber',
      type: 'boolean',
      source: `${bankTransfer}; ${examples}`,
    },
    ...order,
  ],
  generateQr: [
    {
      field: 'partnerReferenceNo',
      required: true,
      length: [1, 36],
      source: `the docs page mpm-api-qris requires partnerReferenceNo to equal X-EXTERNAL-ID, and both values are equal in ${examples}`,
    },
    ...amount('amount', `on the docs page mpm-api-qris and in ${examples}, amounts have two decimals`),
    {
      field: 'merchantId',
      length: [1, 64],
      source: `the docs page mpm-api-qris describes merchantId; ${examples} always contain this field`,
    },
    {
      field: 'validityPeriod',
      pattern: isoTime,
      source: `the docs page mpm-api-qris describes validityPeriod; in ${examples}, its times have various UTC offsets`,
    },
    ...texts(examples, 'additionalInfo.acquirer', 'additionalInfo.countryCode', 'additionalInfo.locale'),
    ...order,
  ],
  payDebit: [
    {
      field: 'partnerReferenceNo',
      required: true,
      length: [1, 64],
      source: 'the docs page direct-debit-api-gopay',
    },
    ...texts(`the docs page direct-debit-api-gopay; ${examples}`, 'chargeToken', 'merchantId'),
    {
      field: 'validUpTo',
      pattern: isoTime,
      source:
        'the docs page direct-debit-api-gopay describes validUpTo; in the Node and Java examples, its value is a UTC time with six decimals',
    },
    {
      field: 'payOptionDetails',
      required: true,
      type: 'list',
      length: [1, 1],
      source: 'the docs page direct-debit-api-gopay and the Node and Java examples contain payOptionDetails',
    },
    ...texts(
      `the docs page direct-debit-api-gopay; ${examples}`,
      'payOptionDetails[].payMethod',
      'payOptionDetails[].payOption',
    ).map(rule => ({ ...rule, required: true as const })),
    ...amount(
      'payOptionDetails[].transAmount',
      'on the docs page direct-debit-api-gopay, amounts have two decimals; the Node and Java examples have no decimals (1500), and the PHP example has one (10000.0)',
    ),
    ...order,
  ],
  statusVa: [
    ...account,
    {
      field: 'inquiryRequestId',
      required: true,
      length: [1, 128],
      source: `${status} requires inquiryRequestId; in ${examples}, its value is the trxId`,
    },
    merchantOfAccount,
  ],
  queryQr: [
    ...originals,
    { field: 'merchantId', source: `${status}; ${examples} always contain merchantId` },
    {
      field: 'serviceCode',
      required: true,
      oneOf: ['47'],
      source: `for QR code inquiries, ${status} and the Node example use the service code 47; the Java and PHP examples use 54`,
    },
  ],
  statusDebit: [
    ...originals,
    { field: 'serviceCode', required: true, oneOf: ['54'], source: `${status}; ${examples}` },
  ],
  cancelVa: [
    ...account,
    { field: 'trxId', required: true, length: [1, 64], source: `${cancel}; ${examples}` },
    merchantOfAccount,
  ],
  cancelQr: [
    ...originals,
    { field: 'merchantId', required: true, source: `${cancel}; ${examples}` },
    { field: 'reason', required: true, length: [1, 256], source: `${cancel}; ${examples}` },
  ],
  cancelDebit: originals,
  refundDebit: returned,
  refundQr: [
    ...returned,
    { field: 'merchantId', required: true, length: [1, 64], source: `${refund}; ${examples}` },
  ],
} satisfies Record<string, readonly Rule[]>
