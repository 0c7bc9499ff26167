// The reasons why the service rejects a callback. In each case, the service cannot prove that the provider sent the
// callback. The dashboard translates each reason.

export const rejectionTexts = {
  wrong: '{field} is wrong',
  untimely: '{field} is too old or in the future',
  foreign: '{field} is not ours',
  repeated: '{field} is missing or repeated',
  unknown_kind: 'not a {provider} notification',
  other_merchant: 'the notification is for another merchant',
  source: 'callbacks of this account are not accepted from {address}',
} as const

export type RejectionText = keyof typeof rejectionTexts

type Filled<Text> = Text extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${After}`
  : Text

/** A rejection reason with its placeholders filled in. The compiler accepts only the reasons listed above. */
export type Rejection = Filled<(typeof rejectionTexts)[RejectionText]>
