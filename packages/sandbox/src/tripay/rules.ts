import type { Rule } from '../rules.ts'

// Tripay has no official library, so the rules follow the checks of unofficial client libraries. PHP:
// zerosdev/tripay-sdk-php 1.0.2 (Transaction.php), nekoding/tripay 2.1.0
// (CreateCloseTransactionFormValidation.php), andisiahaan/tripay-php 1.0.0 (Transaction.php),
// trijayadigital/tripay-php 1.0.1 (Transaction.php). Node: vermaysha/tripay-node 1.0.0
// (closed-transaction.ts). Go: zakirkun/go-tripay 0.1 (close_payment_transaction.go), with typed fields.
//
// The following libraries do not check requests: reactmore/tripay-payment-sdk 1.0.2 (PHP),
// Orume-Studios/tripay-nodejs 1.0 and karyanayandi/tripay-sdk 0.1.6 (Node), adriyansyah-mf/tripay-sdk 1.0.0
// (Python), paktut/Tripay.NET 1.0.2.
//
// The sandbox omits these checks of the client libraries:
// - customer_phone: required only by nekoding and andisiahaan, not by Tripay's documentation;
// - the method must be in the list of the Node library vermaysha/tripay-node: not checked, because this list
//   dates from 2023 and lacks DANA and OTHERBANKVA.
//
// The sandbox requires the amount, as Tripay's documentation does. Two PHP libraries (zerosdev and andisiahaan) compute
// a missing amount from the order's items.

const php = 'the PHP library nekoding requires the field'

const number = { required: true, type: 'whole number or digits' } as const

const optionalTexts = (source: string, ...fields: string[]): Rule[] =>
  fields.map(field => ({ field, source }))

export const tripayRules = {
  create: [
    {
      field: 'method',
      required: true,
      source: `${php}; the PHP libraries zerosdev and andisiahaan and the Node library require it too`,
    },
    {
      field: 'merchant_ref',
      required: true,
      source: `${php}, and so does the PHP library andisiahaan; in the PHP library zerosdev, merchant_ref is optional`,
    },
    {
      field: 'amount',
      ...number,
      source: `${php} as an integer, which is also its type in the Go library; the PHP library zerosdev accepts any number`,
    },
    {
      field: 'customer_name',
      required: true,
      source: `${php}; the PHP libraries zerosdev and andisiahaan require it, too`,
    },
    {
      field: 'customer_email',
      required: true,
      source: `${php}; the PHP libraries zerosdev and andisiahaan require it, too`,
    },
    ...optionalTexts('PHP nekoding and Go send customer_phone as a string', 'customer_phone'),
    {
      field: 'order_items',
      required: true,
      type: 'list',
      length: [1, Number.MAX_SAFE_INTEGER],
      source:
        'the Node library rejects an empty list of order_items; the PHP libraries zerosdev and nekoding require order_items; the PHP library andisiahaan only recommends it',
    },
    { field: 'order_items[].name', required: true, source: `${php}; Go sends text` },
    {
      field: 'order_items[].price',
      ...number,
      source: `${php} as an integer, which is also its type in the Go library`,
    },
    {
      field: 'order_items[].quantity',
      ...number,
      source: `${php} as an integer, which is also its type in the Go library`,
    },
    ...optionalTexts(
      'PHP nekoding accepts a string or null; Go sends a string',
      ...['sku', 'product_url', 'image_url'].map(name => `order_items[].${name}`),
    ),
    ...optionalTexts('PHP nekoding accepts only a string', 'callback_url'),
    {
      field: 'return_url',
      pattern: /^[a-z][a-z0-9+.-]*:\/\/\S+$/i,
      source:
        'the PHP library trijayadigital validates the URL with FILTER_VALIDATE_URL; the PHP library nekoding and the Go library accept any string',
    },
    {
      field: 'expired_time',
      type: 'whole number or digits',
      source:
        'the PHP library nekoding accepts an integer or null as expired_time; the Go library sends an integer; by default, the Node library sends the time one day from now',
    },
    // The field is not marked as required, so that a missing or empty signature gets the same error as an
    // invalid signature.
    {
      field: 'signature',
      source: `${php} and compares it with the signature that the library computes; the other libraries compute the signature themselves`,
    },
  ],
} satisfies Record<string, readonly Rule[]>
