import type { Rule } from '../rules.ts'

// What libraries for Tripay check before they send. Tripay has none of its own; these are the ones that were found on
// GitHub, Packagist, npm, PyPI and NuGet. PHP: zerosdev/tripay-sdk-php 1.0.2 (Transaction.php), nekoding/tripay 2.1.0
// (CreateCloseTransactionFormValidation.php), andisiahaan/tripay-php 1.0.0 (Transaction.php), trijayadigital/tripay-php 1.0.1
// (Transaction.php). Node: vermaysha/tripay-node 1.0.0 (closed-transaction.ts). Go: zakirkun/go-tripay 0.1
// (close_payment_transaction.go), whose structs give each field a type. Read and found to check nothing:
// reactmore/tripay-payment-sdk 1.0.2 (PHP), Orume-Studios/tripay-nodejs 1.0 and karyanayandi/tripay-sdk 0.1.6 (Node),
// adriyansyah-mf/tripay-sdk 1.0.0 (Python), paktut/Tripay.NET 1.0.2.
//
// Not played:
// - customer_phone: nekoding and andisiahaan demand it; Tripay's page, zerosdev and trijayadigital do without;
// - the methods that vermaysha knows: its list of 2023 lacks DANA and OTHERBANKVA, which Tripay's page has;
// - an amount left out, which zerosdev and andisiahaan add up from the items: Tripay's page demands it.

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
    // An absent or empty one is answered like any that does not fit.
    { field: 'signature', source: `${php}, and compared with its own; the others make it` },
  ],
} satisfies Record<string, readonly Rule[]>
