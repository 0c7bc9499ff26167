import type { Rule } from '../rules.ts'

// Requests that Midtrans' official libraries send over BI-SNAP (Indonesia's standard for payment APIs). Node:
// midtrans-client 1.4.3 (lib/snapBi). Java: midtrans-java 3.2.2 (com/midtrans/snapbi). PHP: midtrans-php
// 2.6.2 (SnapBi). Python (midtransclient 1.4.2) and Go (midtrans-go 1.3.8) do not support SNAP. The libraries
// do not check bodies, so these rules come from the tables on docs.midtrans.com and the libraries' examples.
//
// The sandbox omits these documented rules, because the official libraries break them:
// - X-TIMESTAMP must have 25 characters with an offset (docs transaction-history-list), but Node and Java send UTC
//   with a fraction of a second;
// - grantType must be this field's only name (docs access-token-api), but all libraries send grant_type;
// - urlParams must be a list (docs direct-debit-api-gopay), but all libraries' examples have urlParam, which is one
//   object in Node and Java. The sandbox accepts urlParam like any unknown field.
//
// The sandbox verifies the signature over the text as sent, as docs signature-generation requires. The PHP
// library signs slashes and non-ASCII letters unescaped but sends them escaped, so the sandbox rejects such a
// request.

/** The characters that Java's okhttp and Node's axios accept in a header value. */
const headerText = /^[\t\x20-\x7e]*$/

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

const json: Rule[] = [
  {
    field: 'Content-Type',
    in: 'header',
    required: true,
    pattern: /^application\/json\b/i,
    source: 'the docs, Node and PHP use application/json; Java adds charset=utf-8',
  },
  {
    field: 'Accept',
    in: 'header',
    pattern: /application\/json|\*\/\*/i,
    source: 'Node, Java and PHP send application/json; the docs do not mention this header',
  },
]

const timestamp: Rule = {
  field: 'X-TIMESTAMP',
  in: 'header',
  required: true,
  pattern: isoTime,
  source:
    'the docs require ISO 8601; Node sends UTC with milliseconds, Java sends UTC with up to nanoseconds, and PHP sends an offset',
}

export const tokenRules: readonly Rule[] = [
  ...json,
  {
    field: 'X-CLIENT-KEY',
    in: 'header',
    required: true,
    pattern: headerText,
    source: 'the docs page access-token-api requires X-CLIENT-KEY; the Java library throws if it is missing',
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
      'Node, Java and PHP send X-DEVICE-ID with each call, even without a value; the docs omit it for payments',
  },
]

function amount(field: string, source: string, required: { required?: true } = { required: true }): Rule[] {
  return [
    { field: `${field}.value`, ...required, length: [4, 19], pattern: /^\d{1,16}\.\d{2}$/, source },
    {
      field: `${field}.currency`,
      ...required,
      oneOf: ['IDR'],
      source: 'the docs, Node, Java and PHP use the currency IDR',
    },
  ]
}

const texts = (source: string, ...fields: string[]): Rule[] => fields.map(field => ({ field, source }))

const examples = 'the Node, Java and PHP examples'
const bankTransfer = 'the docs page virtual-account-api-bank-transfer'
const status = 'the docs page get-transaction-status-api'
const cancel = 'the docs page cancel-api'
const refund = 'the docs page refund-api'

/** The rules for the customer and the items in each payment's additionalInfo. */
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
    source: `${bankTransfer}; values in ${examples} are left-padded with spaces`,
  },
  { field: 'customerNo', required: true, length: [1, 20], pattern: /^\d+$/, source: bankTransfer },
  {
    field: 'virtualAccountNo',
    required: true,
    length: [1, 28],
    source: `${bankTransfer}; in ${examples}, the number begins with the spaces that pad partnerServiceId`,
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
    source: `${refund} requires the field; the Node and Java wallet examples omit it`,
  },
  {
    field: 'partnerRefundNo',
    required: true,
    length: [1, 64],
    pattern: /^[A-Za-z0-9_-]+$/,
    source: `${refund} requires the field; Node's wallet example omits it, and Java's contains a space`,
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
      source: `${bankTransfer} allows at most 30 characters; ${examples} contain only digits`,
    },
    {
      field: 'trxId',
      required: true,
      length: [1, 36],
      source: `${bankTransfer} requires the value to equal X-EXTERNAL-ID; in ${examples}, both values are equal`,
    },
    ...amount('totalAmount', `on ${bankTransfer} and in ${examples}, amounts have two decimals`),
    { field: 'expiredDate', pattern: isoTime, source: `${bankTransfer}; Node's example has a time in UTC` },
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
      source: `the docs page mpm-api-qris requires the value to equal X-EXTERNAL-ID; in ${examples}, both values are equal`,
    },
    ...amount('amount', `on the docs page mpm-api-qris and in ${examples}, amounts have two decimals`),
    {
      field: 'merchantId',
      length: [1, 64],
      source: `the docs page mpm-api-qris; ${examples} always contain the field`,
    },
    {
      field: 'validityPeriod',
      pattern: isoTime,
      source: `the docs page mpm-api-qris; the times in ${examples} have various offsets`,
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
        'the docs page direct-debit-api-gopay; the Node and Java examples contain a UTC time with six decimals',
    },
    {
      field: 'payOptionDetails',
      required: true,
      type: 'list',
      length: [1, 1],
      source: 'the docs page direct-debit-api-gopay and the Node and Java examples contain the field',
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
      source: `${status} requires the field; ${examples} send the trxId`,
    },
    merchantOfAccount,
  ],
  queryQr: [
    ...originals,
    { field: 'merchantId', source: `${status}; ${examples} always contain the field` },
    {
      field: 'serviceCode',
      required: true,
      oneOf: ['47'],
      source: `${status} and the Node example contain the service code 47; the Java and PHP examples contain 54`,
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
