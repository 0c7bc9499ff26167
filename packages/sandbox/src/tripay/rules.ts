import type { Rule } from '../rules.ts'

// Checks made by client libraries for Tripay. Tripay has no official library; these were found on GitHub, Packagist,
// npm, PyPI and NuGet. PHP: zerosdev/tripay-sdk-php 1.0.2 (Transaction.php), nekoding/tripay 2.1.0
// (CreateCloseTransactionFormValidation.php), andisiahaan/tripay-php 1.0.0 (Transaction.php),
// trijayadigital/tripay-php 1.0.1 (Transaction.php). Node: vermaysha/tripay-node 1.0.0 (closed-transaction.ts). Go:
// zakirkun/go-tripay 0.1 (close_payment_transaction.go), whose structs give each field a type. These check nothing:
// reactmore/tripay-payment-sdk 1.0.2 (PHP), Orume-Studios/tripay-nodejs 1.0 and karyanayandi/tripay-sdk 0.1.6 (Node),
// adriyansyah-mf/tripay-sdk 1.0.0 (Python), paktut/Tripay.NET 1.0.2.
//
// These checks of the libraries are not applied:
// - customer_phone: required by nekoding and andisiahaan; optional in Tripay's documentation, zerosdev and
//   trijayadigital;
// - vermaysha's list of methods, which is from 2023 and lacks DANA and OTHERBANKVA;
// - a missing amount, which zerosdev and andisiahaan compute from the items: Tripay's documentation requires it.

const php = 'PHP nekoding: required'

const number = { required: true, type: 'whole number or digits' } as const

const optionalTexts = (source: string, ...fields: string[]): Rule[] =>
  fields.map(field => ({ field, source }))

export const tripayRules = {
  create: [
    { field: 'method', required: true, source: `${php}; PHP zerosdev, andisiahaan and Node demand it too` },
    { field: 'merchant_ref', required: true, source: `${php}, andisiahaan too; zerosdev does without` },
    { field: 'amount', ...number, source: `${php}, an int; Go: int; zerosdev: numeric` },
    { field: 'customer_name', required: true, source: `${php}; zerosdev and andisiahaan demand it too` },
    { field: 'customer_email', required: true, source: `${php}; zerosdev and andisiahaan demand it too` },
    ...optionalTexts('PHP nekoding and Go: text', 'customer_phone'),
    {
      field: 'order_items',
      required: true,
      type: 'list',
      length: [1, Number.MAX_SAFE_INTEGER],
      source: 'Node: not empty; PHP zerosdev and nekoding: required; andisiahaan: recommended',
    },
    { field: 'order_items[].name', required: true, source: `${php}; Go: text` },
    { field: 'order_items[].price', ...number, source: `${php}, an int; Go: int` },
    { field: 'order_items[].quantity', ...number, source: `${php}, an int; Go: int` },
    ...optionalTexts(
      'PHP nekoding: text or null; Go: text',
      ...['sku', 'product_url', 'image_url'].map(name => `order_items[].${name}`),
    ),
    ...optionalTexts('PHP nekoding: text', 'callback_url'),
    {
      field: 'return_url',
      pattern: /^[a-z][a-z0-9+.-]*:\/\/\S+$/i,
      source: 'PHP trijayadigital: FILTER_VALIDATE_URL; nekoding and Go: text',
    },
    {
      field: 'expired_time',
      type: 'whole number or digits',
      source: 'PHP nekoding: int or null; Go: int; Node sends a day where there is none',
    },
    // A missing or empty signature gets the same error as an invalid signature.
    { field: 'signature', source: `${php}, and compared with its own; the others make it` },
  ],
} satisfies Record<string, readonly Rule[]>
