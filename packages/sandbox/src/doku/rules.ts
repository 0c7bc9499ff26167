import type { Rule } from '../rules.ts'

// Checks made by DOKU's official libraries before they send a request. Node: doku-nodejs-library 1.0.52 (_models,
// _commons). Python: doku-python-library 1.1.72 (src/model). Go: doku-golang-library 1.1.8 (models). Java:
// doku-java-library 1.0.10 (dto).
//
// The sandbox omits the following checks, because DOKU's documentation or at least one library does not require them:
// - customerNo and virtualAccountNo of a new virtual account: all libraries require both fields, but DOKU's
//   documentation does not if DOKU generates the account number;
// - presence of virtualAccountEmail and virtualAccountPhone: only the libraries for Node and Go require these
//   fields;
// - the header X-DEVICE-ID of wallet requests: all four libraries require a value for it, but Node's does not
//   send it with payments, and Go's never sends it;
// - presence of the header CHANNEL-ID for wallets: the Go and Python libraries send it with the value DH, but
//   Node and PHP send DH in the header X-CHANNEL-ID instead;
// - a request must not contain unknown fields: the Node library rejects them, but other clients send them.

// The characters allowed by SafeString in DOKU's Java library. Node and Go also allow a backslash in a name.
const safeText = /^[a-zA-Z0-9.\-/+,=_:'@% ]*$/

const partnerServiceId: Rule = {
  field: 'partnerServiceId',
  required: true,
  length: [8, 8],
  pattern: /^\s{0,7}\d{1,8}$/,
  source:
    'all four DOKU libraries check partnerServiceId: createVaRequestDto.js, create_va_request.py, createVaRequestDTO.go, CreateVaRequestDto.java',
}

const customerNo: Rule = {
  field: 'customerNo',
  length: [1, 20],
  pattern: /^\d+$/,
  source: 'all four DOKU libraries validate the field customerNo, in the same files as partnerServiceId',
}

const trxId: Rule = {
  field: 'trxId',
  required: true,
  length: [1, 64],
  pattern: safeText,
  source:
    'all four DOKU libraries limit trxId to 64 characters; Java also limits the allowed characters (SafeString)',
}

const channelId: Rule = {
  field: 'CHANNEL-ID',
  in: 'header',
  required: true,
  source:
    'all four DOKU libraries send the header CHANNEL-ID with every virtual account call: vaService.js, va_service.py, VaServices.java',
}

/** Returns the rules for an amount: 4 to 19 characters with two decimals, and at least one rupiah. */
function amount(field: string, longest = 19): Rule[] {
  return [
    {
      field: `${field}.value`,
      required: true,
      length: [4, longest],
      pattern: /^[1-9]\d{0,15}\.\d{2}$/,
      source:
        'the DOKU libraries for Go, Python and Java require an amount with two decimals, which are optional in Node; Go rejects a leading zero; Java requires at least 1',
    },
    {
      field: `${field}.currency`,
      required: true,
      oneOf: ['IDR'],
      source:
        'the DOKU libraries for Python, Go and Java accept only the currency IDR; Node accepts any three characters',
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
    'the DOKU libraries for Python (va_channel_enum.py) and Go (vaChannels.go) list the same channels; Java (VaChannelEnum.java) lists two more; Node checks only the length',
}

const payer: Rule[] = [
  {
    field: 'virtualAccountEmail',
    length: [1, 255],
    pattern: /^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$/,
    source:
      'the DOKU libraries for Python and Go check email addresses with this pattern; the libraries for Node and Java accept more addresses',
  },
  {
    field: 'virtualAccountPhone',
    length: [9, 30],
    source: 'all four DOKU libraries require a virtualAccountPhone of 9 to 30 characters',
  },
]

const vaName: Rule = {
  field: 'virtualAccountName',
  required: true,
  length: [1, 255],
  pattern: safeText,
  source:
    'the DOKU libraries for Python and Java allow only these characters in a name; the libraries for Node and Go also allow a backslash',
}

const expiredDate: Rule = {
  field: 'expiredDate',
  pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+07:00$/,
  source:
    'the DOKU library for Go accepts only the UTC offset +07:00; Node accepts any offset but no fractional seconds; Python and Java accept any ISO 8601 time',
}

const trxType: Rule = {
  field: 'virtualAccountTrxType',
  oneOf: ['C', 'O', 'V'],
  source:
    'all four DOKU libraries require the field virtualAccountTrxType. Python, Go and Java allow only the values C, O and V; Node allows any single character. The sandbox treats a missing field as C, because Go misspells its name as virtualAccounTrxType',
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
    'all four DOKU libraries list the same channels: ddChannelEnum.js, direct_debit_enum.py, directDebitChannel.go, DirectDebitChannelEnum.java',
}

const walletHeaders: Rule[] = [
  {
    field: 'X-IP-ADDRESS',
    in: 'header',
    required: true,
    length: [10, 15],
    source:
      'the DOKU libraries for Node (validateHeader.js), Python (request_header.py) and Go (requestHeaderDTO.go) validate the header X-IP-ADDRESS; the library for Java sends any value',
  },
  {
    field: 'X-DEVICE-ID',
    in: 'header',
    length: [1, 64],
    pattern: /^[A-Za-z0-9]+$/,
    source:
      'the DOKU library for Node (validateHeader.js) checks the length of X-DEVICE-ID, and the docs (http-notification-sample-for-snap) forbid symbols in X-DEVICE-ID',
  },
]

function optional({ required: _, ...rule }: Rule, source: string): Rule {
  return { ...rule, source }
}

/**
 * Returns the rule for the channel name without its list of allowed values. When a virtual account is deleted, the DOKU
 * libraries check only the name's length.
 */
function lengthOnly({ oneOf: _, ...rule }: Rule): Rule {
  return { ...rule, source: 'all four DOKU libraries limit a channel name to 30 characters' }
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
      source:
        'the DOKU library for Python requires reusableStatus; Node and Java treat a missing reusableStatus as false',
    },
    trxType,
    {
      ...expiredDate,
      required: true,
      source: `${expiredDate.source}; all DOKU libraries except Java require the field expiredDate`,
    },
  ],
  updateVa: [
    channelId,
    partnerServiceId,
    {
      ...customerNo,
      required: true,
      source: 'the DOKU libraries for Python, Go and Java require customerNo; Node accepts null',
    },
    optional(vaName, 'Java and Python check virtualAccountName as in a create request; Node accepts null'),
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
    {
      ...customerNo,
      required: true,
      source:
        'all four DOKU libraries require customerNo in a status inquiry: checkStatusVARequestDTO.js and the equivalent files of the other libraries',
    },
    {
      field: 'inquiryRequestId',
      length: [1, 128],
      source: 'the DOKU libraries for Node and Java limit the length of the field inquiryRequestId',
    },
    {
      field: 'paymentRequestId',
      length: [1, 128],
      source: 'the DOKU libraries for Node and Java limit the length of the field paymentRequestId',
    },
  ],
  payWallet: [
    ...walletHeaders,
    {
      field: 'partnerReferenceNo',
      required: true,
      length: [1, 64],
      pattern: safeText,
      source:
        'the DOKU libraries for Node (paymentJumpAppRequestDTO.js) and Java (PaymentJumpAppRequestDto.java) allow 1 to 64 characters for partnerReferenceNo; Java also checks the characters',
    },
    ...amount('amount'),
    {
      field: 'urlParam',
      required: true,
      type: 'list',
      length: [1, 100],
      source: 'the DOKU libraries for Node and Java require urlParam to be a list',
    },
    {
      field: 'urlParam[].url',
      required: true,
      length: [1, 255],
      pattern: /^[a-z][a-z0-9+.-]*:/i,
      source:
        'the DOKU library for Node requires a valid URL of at most 255 characters; the library for Java checks only the length of the text',
    },
    {
      field: 'urlParam[].type',
      required: true,
      oneOf: ['PAY_RETURN'],
      source:
        'all four DOKU libraries require the value PAY_RETURN in the field type; Python, Go and Java ignore case',
    },
    {
      field: 'urlParam[].isDeepLink',
      required: true,
      oneOf: ['Y', 'N'],
      source:
        'the DOKU libraries for Node and Python accept only Y and N for isDeepLink, and Python ignores case; Go accepts any value',
    },
    {
      field: 'validUpTo',
      required: true,
      pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
      source: 'the DOKU library for Node requires validUpTo; Python, Go and Java do not',
    },
    {
      field: 'pointOfInitiation',
      required: true,
      oneOf: ['app', 'pc', 'mweb'],
      source:
        "for pointOfInitiation, DOKU's Java library requires one of the values app, pc or mweb; Python and Go check the value if it is present; Node accepts any text of at most 20 characters",
    },
    walletChannel,
  ],
  statusWallet: [
    {
      field: 'serviceCode',
      required: true,
      oneOf: ['55'],
      source:
        'all four DOKU libraries require the service code 55, for example in checkStatusDirectDebitRequestDTO.js',
    },
    {
      ...walletChannel,
      source: `${walletChannel.source}; all DOKU libraries except the Node library require the channel`,
    },
  ],
  refundWallet: [
    ...walletHeaders,
    {
      field: 'originalPartnerReferenceNo',
      required: true,
      length: [1, 64],
      source:
        'all four DOKU libraries check the length of originalPartnerReferenceNo: Node in refundRequestDTO.js, the others in the equivalent files. For OVO, a separate rule limits it to 32 characters',
    },
    {
      field: 'originalExternalId',
      length: [1, 36],
      source: 'the DOKU libraries for Node and Java limit the length of the field originalExternalId',
    },
    ...amount('refundAmount', 16),
    {
      field: 'reason',
      length: [1, 255],
      source: 'the DOKU libraries for Node and Java allow a reason of at most 255 characters',
    },
    {
      field: 'partnerRefundNo',
      required: true,
      length: [1, 64],
      source: 'all four DOKU libraries check the length of partnerRefundNo',
    },
    walletChannel,
  ],
} satisfies Record<string, readonly Rule[]>
