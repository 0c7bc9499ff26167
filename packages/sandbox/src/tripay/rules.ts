import type { Rule } from '../rules.ts'

// Checks made by client libraries for Tripay, which has no official library. PHP: zerosdev/tripay-sdk-php
// 1.0.2 (Transaction.php), nekoding/tripay 2.1.0 (CreateCloseTransactionFormValidation.php),
// andisiahaan/tripay-php 1.0.0 (Transaction.php), trijayadigital/tripay-php 1.0.1 (Transaction.php). Node:
// vermaysha/tripay-node 1.0.0 (closed-transaction.ts). Go: zakirkun/go-tripay 0.1
// (close_payment_transaction.go), with typed fields.
//
// The following libraries do not check requests: reactmore/tripay-payment-sdk 1.0.2 (PHP),
// Orume-Studios/tripay-nodejs 1.0 and karyanayandi/tripay-sdk 0.1.6 (Node), adriyansyah-mf/tripay-sdk 1.0.0
// (Python), paktut/Tripay.NET 1.0.2.
//
// The sandbox does not make these checks:
// - customer_phone: required only by nekoding and andisiahaan, not by Tripay's documentation;
// - vermaysha's list of methods: it dates from 2023 and lacks DANA and OTHERBANKVA.
//
// If the amount is missing, zerosdev and andisiahaan compute it from the items. The sandbox requires the amount, as
// Tripay's documentation does.

const php = 'the PHP library nekoding requires the field'

const number = { required: true, type: 'whole number or digits' } as const

const optionalTexts = (source: string, ...fields: string[]): Rule[] =>
  fields.map(field => ({ field, source }))

export const tripayRules = {
  create: [
    { field: 'method', required: true, source: `${php}, and so do PHP zerosdev, andisiahaan and Node` },
    {
      field: 'merchant_ref',
      required: true,
      source: `${php}, and so does PHP andisiahaan; it is optional in PHP zerosdev`,
    },
    { field: 'amount', ...number, source: `${php} as an integer, like Go; zerosdev accepts any number` },
    { field: 'customer_name', required: true, source: `${php}, and so do zerosdev and andisiahaan` },
    { field: 'customer_email', required: true, source: `${php}, and so do zerosdev and andisiahaan` },
    ...optionalTexts('PHP nekoding and Go send customer_phone as a string', 'customer_phone'),
    {
      field: 'order_items',
      required: true,
      type: 'list',
      length: [1, Number.MAX_SAFE_INTEGER],
      source:
        'Node rejects an empty list; PHP zerosdev and nekoding require order_items; PHP andisiahaan recommends it',
    },
    { field: 'order_items[].name', required: true, source: `${php}; Go sends text` },
    { field: 'order_items[].price', ...number, source: `${php} as an integer, like Go` },
    { field: 'order_items[].quantity', ...number, source: `${php} as an integer, like Go` },
    ...optionalTexts(
      'PHP nekoding accepts a string or null; Go sends a string',
      ...['sku', 'product_url', 'image_url'].map(name => `order_items[].${name}`),
    ),
    ...optionalTexts('PHP nekoding accepts only a string', 'callback_url'),
    {
      field: 'return_url',
      pattern: /^[a-z][a-z0-9+.-]*:\/\/\S+$/i,
      source:
        'PHP trijayadigital checks the URL with FILTER_VALIDATE_URL; PHP nekoding and Go accept any string',
    },
    {
      field: 'expired_time',
      type: 'whole number or digits',
      source:
        'the library nekoding for PHP accepts an integer or null; Go sends an integer; Node sends a day from now by default',
    },
    // The field is not marked as required, so that a missing or empty signature gets the same error as an
    // invalid signature.
    {
      field: 'signature',
      source: `${php} and compares the signature with its own; the other libraries compute the signature`,
    },
  ],
} satisfies Record<string, readonly Rule[]>
