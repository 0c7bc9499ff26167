import type { Rule } from '../rules.ts'

// Checks that DOKU's official libraries make before they send a request. Node: doku-nodejs-library 1.0.52 (_models,
// _commons). Python: doku-python-library 1.1.72 (src/model). Go: doku-golang-library 1.1.8 (models). Java:
// doku-java-library 1.0.10 (dto).
//
// These checks of the libraries are not applied, because DOKU's documentation and at least one library do not require
// them:
// - customerNo and virtualAccountNo of a new account: required by every library; in the documentation, they are
//   omitted if DOKU is to generate the number;
// - virtualAccountEmail and virtualAccountPhone: required by Node and Go, but not by Python, Java and the
//   documentation;
// - X-DEVICE-ID of wallets: all four libraries require it as an argument, but Node omits it from payments and Go never
//   sends it;
// - unknown fields: rejected by Node, but present in JSON from other clients.

// The characters that Java's SafeString allows. Node and Go also allow a backslash in a name.
const safeText = /^[a-zA-Z0-9.\-/+,=_:'@% ]*$/

const partnerServiceId: Rule = {
  field: 'partnerServiceId',
  required: true,
  length: [8, 8],
  pattern: /^\s{0,7}\d{1,8}$/,
  source:
    'all four: createVaRequestDto.js, create_va_request.py, createVaRequestDTO.go, CreateVaRequestDto.java',
}

const customerNo: Rule = {
  field: 'customerNo',
  length: [1, 20],
  pattern: /^\d+$/,
  source: 'all four, in the same files',
}

const trxId: Rule = {
  field: 'trxId',
  required: true,
  length: [1, 64],
  pattern: safeText,
  source: 'all four: at most 64; the characters are those of Java (SafeString)',
}

const channelId: Rule = {
  field: 'CHANNEL-ID',
  in: 'header',
  required: true,
  source:
    'all four send it with each call about a virtual account: vaService.js, va_service.py, VaServices.java',
}

/** Rules for an amount: 4 to 19 characters with two decimals, and at least one rupiah. */
function amount(field: string, longest = 19): Rule[] {
  return [
    {
      field: `${field}.value`,
      required: true,
      length: [4, longest],
      pattern: /^[1-9]\d{0,15}\.\d{2}$/,
      source:
        'Go: no zero in front, two decimals; Python and Java: two decimals; Java: at least 1; Node: decimals optional',
    },
    {
      field: `${field}.currency`,
      required: true,
      oneOf: ['IDR'],
      source: 'Python, Go and Java: IDR; Node: any three characters',
    },
  ]
}

const vaChannel: Rule = {
  field: 'additionalInfo.channel',
  required: true,
  length: [1, 30],
  oneOf: [
    'VIRTUAL_ACCOUNT_BCA',
    'VIRTUAL_ACCOUNT_BANK_MANDIRI',
    'VIRTUAL_ACCOUNT_BRI',
    'VIRTUAL_ACCOUNT_BNI',
    'VIRTUAL_ACCOUNT_BANK_DANAMON',
    'VIRTUAL_ACCOUNT_BANK_PERMATA',
    'VIRTUAL_ACCOUNT_MAYBANK',
    'VIRTUAL_ACCOUNT_BNC',
    'VIRTUAL_ACCOUNT_BTN',
    'VIRTUAL_ACCOUNT_BSI',
    'VIRTUAL_ACCOUNT_BANK_CIMB',
    'VIRTUAL_ACCOUNT_SINARMAS',
    'VIRTUAL_ACCOUNT_DOKU',
    'VIRTUAL_ACCOUNT_BSS',
  ],
  source:
    'Python va_channel_enum.py and Go vaChannels.go; Java VaChannelEnum.java has two more; Node checks the length alone',
}

const payer: Rule[] = [
  {
    field: 'virtualAccountEmail',
    length: [1, 255],
    pattern: /^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$/,
    source: 'Python and Go; Node and Java are wider',
  },
  { field: 'virtualAccountPhone', length: [9, 30], source: 'all four' },
]

const vaName: Rule = {
  field: 'virtualAccountName',
  required: true,
  length: [1, 255],
  pattern: safeText,
  source: 'Python and Java; Node and Go allow a backslash as well',
}

const expiredDate: Rule = {
  field: 'expiredDate',
  pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+07:00$/,
  source: 'Go: +07:00 alone; Node: any offset, no fraction; Python and Java: ISO 8601',
}

const trxType: Rule = {
  field: 'virtualAccountTrxType',
  oneOf: ['C', 'O', 'V'],
  source:
    'Python, Go and Java; Node: any one character. All demand it, but Go sends it as virtualAccounTrxType: its absence is C',
}

const walletChannel: Rule = {
  field: 'additionalInfo.channel',
  required: true,
  oneOf: [
    'DIRECT_DEBIT_ALLO_SNAP',
    'DIRECT_DEBIT_CIMB_SNAP',
    'DIRECT_DEBIT_MANDIRI_SNAP',
    'DIRECT_DEBIT_BRI_SNAP',
    'EMONEY_OVO_SNAP',
    'EMONEY_SHOPEE_PAY_SNAP',
    'EMONEY_DANA_SNAP',
  ],
  source:
    'all four: ddChannelEnum.js, direct_debit_enum.py, directDebitChannel.go, DirectDebitChannelEnum.java',
}

const walletHeaders: Rule[] = [
  {
    field: 'X-IP-ADDRESS',
    in: 'header',
    required: true,
    length: [10, 15],
    source:
      'Node validateHeader.js, Python request_header.py, Go requestHeaderDTO.go; Java sends what it is given',
  },
  { field: 'X-DEVICE-ID', in: 'header', length: [1, 64], source: 'Node validateHeader.js' },
]

function optional({ required: _, ...rule }: Rule, source: string): Rule {
  return { ...rule, source }
}

/** Rules for a deletion check only the length, because no library checks whether the channel is known. */
function lengthOnly({ oneOf: _, ...rule }: Rule): Rule {
  return { ...rule, source: 'all four: at most 30 characters' }
}

export const dokuRules = {
  createVa: [
    channelId,
    partnerServiceId,
    customerNo,
    vaName,
    ...payer,
    trxId,
    ...amount('totalAmount'),
    vaChannel,
    {
      field: 'additionalInfo.virtualAccountConfig.reusableStatus',
      required: true,
      type: 'boolean',
      source: 'Python; Node and Java take its absence for false',
    },
    trxType,
    { ...expiredDate, required: true, source: `${expiredDate.source}; Java alone does without it` },
  ],
  updateVa: [
    channelId,
    partnerServiceId,
    { ...customerNo, required: true, source: 'Python, Go and Java; Node takes null' },
    optional(vaName, 'as in a create; Node takes null'),
    ...payer,
    trxId,
    ...amount('totalAmount'),
    vaChannel,
    trxType,
    expiredDate,
  ],
  deleteVa: [channelId, partnerServiceId, customerNo, trxId, lengthOnly(vaChannel)],
  statusVa: [
    partnerServiceId,
    { ...customerNo, required: true, source: 'all four: checkStatusVARequestDTO.js and the like' },
    { field: 'inquiryRequestId', length: [1, 128], source: 'Node, Java' },
    { field: 'paymentRequestId', length: [1, 128], source: 'Node, Java' },
  ],
  payWallet: [
    ...walletHeaders,
    {
      field: 'partnerReferenceNo',
      required: true,
      length: [1, 64],
      pattern: safeText,
      source:
        'Node paymentJumpAppRequestDTO.js, Java PaymentJumpAppRequestDto.java; the characters are Java’s',
    },
    ...amount('amount'),
    { field: 'urlParam', required: true, type: 'list', length: [1, 100], source: 'Node and Java' },
    {
      field: 'urlParam[].url',
      required: true,
      length: [1, 255],
      pattern: /^[a-z][a-z0-9+.-]*:/i,
      source: 'Node: an address of at most 255 characters; Java: at most 255',
    },
    {
      field: 'urlParam[].type',
      required: true,
      oneOf: ['PAY_RETURN'],
      source: 'all four; Python, Go and Java in any case',
    },
    {
      field: 'urlParam[].isDeepLink',
      required: true,
      oneOf: ['Y', 'N'],
      source: 'Node; Python in any case; Go does not check',
    },
    {
      field: 'validUpTo',
      required: true,
      pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
      source: 'Node; optional in Python, Go and Java',
    },
    {
      field: 'pointOfInitiation',
      required: true,
      oneOf: ['app', 'pc', 'mweb'],
      source: 'Java; Python and Go where it is given; Node: any text of 20 characters',
    },
    walletChannel,
  ],
  statusWallet: [
    {
      field: 'serviceCode',
      required: true,
      oneOf: ['55'],
      source: 'all four: checkStatusDirectDebitRequestDTO.js and the like',
    },
    { ...walletChannel, source: `${walletChannel.source}; Node takes its absence` },
  ],
  refundWallet: [
    ...walletHeaders,
    {
      field: 'originalPartnerReferenceNo',
      required: true,
      length: [1, 64],
      source: 'all four: refundRequestDTO.js and the like; 32 for OVO is checked with the order',
    },
    { field: 'originalExternalId', length: [1, 36], source: 'Node and Java' },
    ...amount('refundAmount', 16),
    { field: 'reason', length: [1, 255], source: 'Node and Java' },
    { field: 'partnerRefundNo', required: true, length: [1, 64], source: 'all four' },
    walletChannel,
  ],
} satisfies Record<string, readonly Rule[]>
