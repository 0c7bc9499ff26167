import type { Rule } from '../rules.ts'

// Requests that Midtrans' official libraries send over BI-SNAP (Indonesia's standard for payment APIs). Node:
// midtrans-client 1.4.3 (lib/snapBi). Java: midtrans-java 3.2.2 (com/midtrans/snapbi). PHP: midtrans-php 2.6.2
// (SnapBi). Python (midtransclient 1.4.2) and Go (midtrans-go 1.3.8) do not support SNAP. The three libraries set the
// headers and check no field of a body. Rules about bodies are therefore the tables of docs.midtrans.com ("docs" and
// the page), compared with the examples in each library.
//
// These rules of the documentation are not applied, because the sandbox would then reject an official library:
// - X-TIMESTAMP of 25 characters with an offset (docs transaction-history-list): Node and Java send UTC with a
//   fraction;
// - only grantType (docs access-token-api): Node, Java and PHP send grant_type;
// - urlParams as a list (docs direct-debit-api-gopay): the examples of Node, Java and PHP have urlParam instead. In the
//   examples of Node and Java, urlParam is one object. The sandbox accepts urlParam like any unknown field;
// - a signature over the text that PHP signs: PHP signs slashes and non-ASCII letters unescaped but sends them escaped.
//   Node and Java sign exactly the text that they send, as required by docs signature-generation.

/** The characters that Java's okhttp and Node's axios accept in the value of a header. */
const headerText = /^[\t\x20-\x7e]*$/

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

const json: Rule[] = [
  {
    field: 'Content-Type',
    in: 'header',
    required: true,
    pattern: /^application\/json\b/i,
    source: 'the docs, Node and PHP have application/json; Java adds charset=utf-8',
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
    'the docs require ISO 8601; Node sends UTC with milliseconds, Java UTC with up to nanoseconds, and PHP an offset',
}

export const tokenRules: readonly Rule[] = [
  ...json,
  {
    field: 'X-CLIENT-KEY',
    in: 'header',
    required: true,
    pattern: headerText,
    source: 'docs access-token-api require it; Java throws if it is missing',
  },
  timestamp,
]

/**
 * The rules for the headers of every signed call. They are applied after the call's token, timestamp and signature
 * were checked.
 */
export const headerRules: readonly Rule[] = [
  ...json,
  timestamp,
  {
    field: 'X-PARTNER-ID',
    in: 'header',
    required: true,
    pattern: headerText,
    source: 'docs core-api-snap-open-api-overview require it; Java throws if it is missing',
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
    source: 'the docs require five digits; Node, Java and PHP send any value, such as 12345',
  },
  {
    field: 'X-DEVICE-ID',
    in: 'header',
    pattern: headerText,
    source:
      'Node, Java and PHP send it with each call, empty if there is no value; the docs omit it for payments',
  },
]

function amount(field: string, source: string, required: { required?: true } = { required: true }): Rule[] {
  return [
    { field: `${field}.value`, ...required, length: [4, 19], pattern: /^\d{1,16}\.\d{2}$/, source },
    {
      field: `${field}.currency`,
      ...required,
      oneOf: ['IDR'],
      source: 'the docs, Node, Java and PHP have IDR',
    },
  ]
}

const texts = (source: string, ...fields: string[]): Rule[] => fields.map(field => ({ field, source }))

const examples = 'the examples of Node, Java and PHP'
const bankTransfer = 'docs virtual-account-api-bank-transfer'
const status = 'docs get-transaction-status-api'
const cancel = 'docs cancel-api'
const refund = 'docs refund-api'

/** The rules for the customer and the items, which every payment has in additionalInfo. */
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
  ...amount('additionalInfo.items[].price', `${examples} have two decimals`),
  { field: 'additionalInfo.items[].quantity', type: 'whole number', source: examples },
]

const account: Rule[] = [
  {
    field: 'partnerServiceId',
    required: true,
    length: [8, 8],
    pattern: /^\s{0,7}\d{1,8}$/,
    source: `${bankTransfer}; ${examples} are left-padded with spaces`,
  },
  { field: 'customerNo', required: true, length: [1, 20], pattern: /^\d+$/, source: bankTransfer },
  {
    field: 'virtualAccountNo',
    required: true,
    length: [1, 28],
    source: `${bankTransfer}; ${examples} keep the spaces of partnerServiceId`,
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
    source: `${refund} require it; the examples of Node and Java for wallets omit it`,
  },
  {
    field: 'partnerRefundNo',
    required: true,
    length: [1, 64],
    pattern: /^[A-Za-z0-9_-]+$/,
    source: `${refund} require it; Node's example for wallets omits it, and Java's contains a space`,
  },
  ...amount('refundAmount', `${refund} and ${examples} have two decimals`, {}),
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
      source: `${bankTransfer} allow at most 30 characters; ${examples} contain only digits`,
    },
    {
      field: 'trxId',
      required: true,
      length: [1, 36],
      source: `${bankTransfer} require the same value as in X-EXTERNAL-ID, which ${examples} have`,
    },
    ...amount('totalAmount', `${bankTransfer} and ${examples} have two decimals`),
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
      source: `docs mpm-api-qris require the same value as in X-EXTERNAL-ID, which ${examples} have`,
    },
    ...amount('amount', `docs mpm-api-qris and ${examples} have two decimals`),
    { field: 'merchantId', length: [1, 64], source: `docs mpm-api-qris; ${examples} always have it` },
    {
      field: 'validityPeriod',
      pattern: isoTime,
      source: `docs mpm-api-qris; ${examples} have various offsets`,
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
      source: `docs direct-debit-api-gopay; the examples of Node and Java have UTC with six decimals`,
    },
    {
      field: 'payOptionDetails',
      required: true,
      type: 'list',
      length: [1, 1],
      source: 'docs direct-debit-api-gopay and the examples of Node and Java have it',
    },
    ...texts(
      `docs direct-debit-api-gopay; ${examples}`,
      'payOptionDetails[].payMethod',
      'payOptionDetails[].payOption',
    ).map(rule => ({ ...rule, required: true as const })),
    ...amount(
      'payOptionDetails[].transAmount',
      'docs direct-debit-api-gopay have two decimals; the examples have none (Node and Java, 1500) or one (PHP, 10000.0)',
    ),
    ...order,
  ],
  statusVa: [
    ...account,
    {
      field: 'inquiryRequestId',
      required: true,
      length: [1, 128],
      source: `${status} require it; ${examples} send the trxId`,
    },
    merchantOfAccount,
  ],
  queryQr: [
    ...originals,
    { field: 'merchantId', source: `${status}; ${examples} always have it` },
    {
      field: 'serviceCode',
      required: true,
      oneOf: ['47'],
      source: `${status} and the example of Node have 47; the examples of Java and PHP have 54`,
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
