// Converts a search text to a query on the words in the table payment_search
// (migrations/0071_payment_search.sql). Each word of the text must match the beginning of a word of the
// payment: of the customer's name, the email address, a reference or a virtual account number. It may also
// match the beginning or the end of the random part of the payment code.
//
// A text that is a number is also searched as an amount, as a phone number and as a number with spaces.

import type { Cents } from '../../values/money.ts'

const separators = /[\s!-/:-@[-`{-~]+/
/**
 * A search word with fewer characters must equal a whole word, because as a prefix it would match too many
 * words.
 */
const SHORTEST_PREFIX = 3
/**
 * The end of an email address. It must match as a whole, because nearly every payment has a word that begins with
 * `com`. PostgreSQL reads all these words for a prefix, but not for a whole word beside a rare one.
 */
const topLevelDomain = /\.(com|net|org)$/i
/** The maximum number of words of a search. Further words would make the search slower but rarely change its result. */
const MOST_WORDS = 8

export type SearchTerms = {
  text: string | undefined
  /** The payment channel's code in lower case. */
  channel: string | undefined
  amount: Cents | undefined
}

/**
 * Returns a PostgreSQL text query (tsquery) that matches all terms. Returns undefined if the terms contain no
 * letter and no digit.
 */
export function searchQueryOf(tenantId: string, { text, channel, amount }: SearchTerms): string | undefined {
  const tenant = tenantId.slice(-4)
  const word: Word = (content, isPrefix = content.length >= SHORTEST_PREFIX) =>
    `'${`${tenant}${content}`.slice(0, 200)}'${isPrefix ? ':*' : ''}`
  const queries = [
    text === undefined ? undefined : textQuery(text, word),
    channel === undefined ? undefined : word(`#${channel.replaceAll(/['\\\s]/g, '')}`, false),
    amount === undefined ? undefined : word(`=${amount}`, false),
  ].filter(query => query !== undefined)
  return queries.length === 0 ? undefined : queries.join(' & ')
}

type Word = (content: string, isPrefix?: boolean) => string

function textQuery(text: string, word: Word): string | undefined {
  const all = text.split(/\s+/).filter(each => partsOf(each).length > 0)
  if (all.length === 0) return undefined
  // While the user types, the last word may be incomplete. Short words are therefore ignored if the text contains a
  // longer word.
  const long = all.filter(each => partsOf(each).join('').length >= SHORTEST_PREFIX)
  const words = long.length > 0 ? long : all
  const every = words.slice(0, MOST_WORDS).map(each => oneOf(matchesOf(each, word)))
  return oneOf([every.join(' & '), ...numbersOf(text).map(number => word(number, !number.startsWith('=')))])
}

const partsOf = (text: string): string[] => text.split(separators).filter(part => part !== '')
const oneOf = (queries: string[]): string =>
  queries.length === 1 ? `${queries[0]}` : `(${queries.join(' | ')})`

function matchesOf(text: string, word: Word): string[] {
  const parts = partsOf(text)
  // Only the last part of a word is matched as a prefix, because the user may still be typing it. A prefix
  // such as `order` of `order-1001` could match every reference.
  const lastIndex = parts.length - 1
  const isOpen = (part: string, index: number) =>
    index === lastIndex && part.length >= SHORTEST_PREFIX && !topLevelDomain.test(text)
  const matches = [parts.map((part, index) => word(part, isOpen(part, index))).join(' & ')]
  if (parts.length > 1) matches.push(word(parts.join('')))
  const [last = ''] = parts.slice(-1)
  if (/^[0-9a-hjkmnp-tv-z]{4,10}$/i.test(last)) matches.push(word(`<${[...last].reverse().join('')}`))
  return parts.length > 1 ? matches.map(each => `(${each})`) : matches
}

/**
 * Returns the search words for a number. The number may be an amount in rupiah, a phone number, or digits grouped by
 * spaces.
 */
function numbersOf(text: string): string[] {
  const [, rupiah] = /^\s*(?:rp\.?\s*)?(\d{1,13}|\d{1,3}(?:[.,]\d{3})+)(?:[.,]00?)?\s*$/i.exec(text) ?? []
  const amount = rupiah === undefined ? [] : [`=${BigInt(rupiah.replace(/\D/g, '')) * 100n}`]
  if (!/^[\d\s+().-]{4,}$/.test(text)) return amount
  const digits = text.replace(/\D/g, '')
  // If the number contains no spaces, it is already one of the words of the search text.
  const grouped = digits === text.trim() ? [] : [digits]
  return [...amount, ...grouped, ...(digits.startsWith('0') ? [`62${digits.slice(1)}`] : [])]
}
