import type { Rule } from '../rules.ts'

// Requests that Midtrans' official libraries send over BI-SNAP. Node: midtrans-client 1.4.3 (lib/snapBi). Java:
// midtrans-java 3.2.2 (com/midtrans/snapbi). PHP: midtrans-php 2.6.2 (SnapBi). Python (midtransclient 1.4.2) and Go
// (midtrans-go 1.3.8) do not support SNAP. The three libraries set the headers and check no field of a body. Rules
// about bodies are therefore the tables of docs.midtrans.com ("docs" and the page), compared with the examples in each
// library.
//
// These rules of the documentation are not applied, because the sandbox would then reject an official library:
// - X-TIMESTAMP of 25 characters with an offset (docs transaction-history-list): Node and Java send UTC with a
//   fraction;
// - only grantType (docs access-token-api): Node, Java and PHP send grant_type;
// - urlParams as a list (docs direct-debit-api-gopay): the examples of Node, Java and PHP have urlParam, and in those
//   of Node and Java it is one object. The sandbox accepts urlParam like any unknown field;
// - a signature over the text that PHP signs: it signs slashes and non-ASCII letters unescaped but sends them escaped.
//   Node and Java sign what they send, as required by docs signature-generation.

/** The characters of a header value that Java's okhttp and Node's axios accept. */
const headerText = /^[\t\x20-\x7e]*$/

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

const json: Rule[] = [
  {
    field: 'Content-Type',
    in: 'header',
    required: true,
    pattern: /^application\/json\b/i,
    source: 'Node, PHP and docs: application/json; Java adds charset=utf-8',
  },
  {
    field: 'Accept',
    in: 'header',
    pattern: /application\/json|\*\/\*/i,
    source: 'Node, Java and PHP send application/json; the docs do not name it',
  },
]

const timestamp: Rule = {
  field: 'X-TIMESTAMP',
  in: 'header',
  required: true,
  pattern: isoTime,
  source: 'Node: UTC with milliseconds; Java: UTC, up to nanoseconds; PHP: an offset; docs: ISO 8601',
}

export const tokenRules: readonly Rule[] = [
  ...json,
  {
    field: 'X-CLIENT-KEY',
    in: 'header',
    required: true,
    pattern: headerText,
    source: 'docs access-token-api; Java throws where it has none',
  },
  timestamp,
]

/**
 * Rules for the headers of every signed call. The call's token, timestamp and signature are checked before these rules.
 */
export const headerRules: readonly Rule[] = [
  ...json,
  timestamp,
  {
    field: 'X-PARTNER-ID',
    in: 'header',
    required: true,
    pattern: headerText,
    source: 'docs core-api-snap-open-api-overview; Java throws where it has none',
  },
  {
    field: 'X-EXTERNAL-ID',
    in: 'header',
    required: true,
    length: [1, 36],
    pattern: /^[A-Za-z0-9\-_]+$/,
    source:
      'docs: alphanumeric, preferably a UUID, at most 36; Node and Java: a UUID; PHP: letters, digits, dashes',
  },
  {
    field: 'CHANNEL-ID',
    in: 'header',
    required: true,
    pattern: /^\d{5}$/,
    source: 'docs: a numeric string of 5 digits; Node, Java and PHP send what they are given, e.g. 12345',
  },
  {
    field: 'X-DEVICE-ID',
    in: 'header',
    pattern: headerText,
    source: 'Node, Java and PHP send it with each call, empty where there is none; docs: not for payments',
  },
]

function amount(field: string, source: string, required: { required?: true } = { required: true }): Rule[] {
  return [
    { field: `${field}.value`, ...required, length: [4, 19], pattern: /^\d{1,16}\.\d{2}$/, source },
    { field: `${field}.currency`, ...required, oneOf: ['IDR'], source: 'docs; Node, Java, PHP: IDR' },
  ]
}

const texts = (source: string, ...fields: string[]): Rule[] => fields.map(field => ({ field, source }))

const examples = 'examples of Node, Java and PHP'
const bankTransfer = 'docs virtual-account-api-bank-transfer'
const status = 'docs get-transaction-status-api'
const cancel = 'docs cancel-api'
const refund = 'docs refund-api'

/** Rules for the customer and the items, which every payment has in additionalInfo. */
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
  ...amount('additionalInfo.items[].price', `${examples}: two decimals`),
  { field: 'additionalInfo.items[].quantity', type: 'whole number', source: examples },
]

const account: Rule[] = [
  {
    field: 'partnerServiceId',
    required: true,
    length: [8, 8],
    pattern: /^\s{0,7}\d{1,8}$/,
    source: `${bankTransfer}; ${examples}: blanks on the left`,
  },
  { field: 'customerNo', required: true, length: [1, 20], pattern: /^\d+$/, source: bankTransfer },
  {
    field: 'virtualAccountNo',
    required: true,
    length: [1, 28],
    source: `${bankTransfer}; ${examples}: its blanks stay`,
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
    source: `${refund}; the examples of Node and Java for wallets do without`,
  },
  {
    field: 'partnerRefundNo',
    required: true,
    length: [1, 64],
    pattern: /^[A-Za-z0-9_-]+$/,
    source: `${refund}; Node's example for wallets has none, Java's has a blank`,
  },
  ...amount('refundAmount', `${refund}; ${examples}: two decimals`, {}),
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
      source: `${bankTransfer}: at most 30; ${examples}: digits`,
    },
    {
      field: 'trxId',
      required: true,
      length: [1, 36],
      source: `${bankTransfer}: the X-EXTERNAL-ID; so have it ${examples}`,
    },
    ...amount('totalAmount', `${bankTransfer} and ${examples}: two decimals`),
    { field: 'expiredDate', pattern: isoTime, source: `${bankTransfer}; Node's example: UTC` },
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
      source: `docs mpm-api-qris: the X-EXTERNAL-ID; so have it ${examples}`,
    },
    ...amount('amount', `docs mpm-api-qris and ${examples}: two decimals`),
    { field: 'merchantId', length: [1, 64], source: `docs mpm-api-qris; ${examples} have it always` },
    {
      field: 'validityPeriod',
      pattern: isoTime,
      source: `docs mpm-api-qris; ${examples}: any offset`,
    },
    ...texts(examples, 'additionalInfo.acquirer', 'additionalInfo.countryCode', 'additionalInfo.locale'),
    ...order,
  ],
  payDebit: [
    { field: 'partnerReferenceNo', required: true, length: [1, 64], source: 'docs direct-debit-api-gopay' },
    ...texts(`docs direct-debit-api-gopay; ${examples}`, 'chargeToken', 'merchantId'),
    {
      field: 'validUpTo',
      pattern: isoTime,
      source: `docs direct-debit-api-gopay; Node's and Java's example: UTC, six digits of a fraction`,
    },
    {
      field: 'payOptionDetails',
      required: true,
      type: 'list',
      length: [1, 1],
      source: 'docs direct-debit-api-gopay; examples of Node and Java',
    },
    ...texts(
      `docs direct-debit-api-gopay; ${examples}`,
      'payOptionDetails[].payMethod',
      'payOptionDetails[].payOption',
    ).map(rule => ({ ...rule, required: true as const })),
    ...amount(
      'payOptionDetails[].transAmount',
      'docs direct-debit-api-gopay: two decimals; examples have none (Node, Java: 1500) or one (PHP: 10000.0)',
    ),
    ...order,
  ],
  statusVa: [
    ...account,
    {
      field: 'inquiryRequestId',
      required: true,
      length: [1, 128],
      source: `${status}; ${examples}: the trxId`,
    },
    merchantOfAccount,
  ],
  queryQr: [
    ...originals,
    { field: 'merchantId', source: `${status}; ${examples} have it always` },
    {
      field: 'serviceCode',
      required: true,
      oneOf: ['47'],
      source: `${status} and the example of Node: 47; those of Java and PHP: 54`,
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
