// Converts a search text to a query for the words in the table payment_search (migrations/0071_payment_search.sql).
// Each word in the text must match one of the following:
//
// - the beginning of any word in the customer's name, the customer's email address, a reference or a virtual account
//   number;
// - the end of a virtual account number or store code;
// - any part of the payment code.
//
// If the text is a number, it is also searched for as an amount and as a phone number. If the digits of the number are
// grouped by spaces, the number is also searched for without spaces.

import type { Cents } from '../../values/money.ts'

/**
 * The characters that separate the words of a search text. The same characters separate the stored words
 * (migrations/0118_late_payments_and_search.sql).
 */
const separators = /[\s!-/:-@[-`{-~\u0085\u200b\u2010-\u2015\u2060\u2212]+/
/** The characters that separate the words of payments created before migration 0118. */
const asciiSeparators = /[ \t\n\r!-/:-@[-`{-~]+/
/**
 * Matches a phone number or a number with grouped digits. The groups may be separated by ASCII or Unicode
 * dashes.
 */
const groupedNumber = /^[\d\s+().\u200b\u2010-\u2015\u2060\u2212-]{4,}$/
/**
 * The minimum length of a word that is searched for as a prefix. A shorter word must equal a whole word, because as a
 * prefix it would match too many words.
 */
const SHORTEST_PREFIX = 3
/**
 * The ending of an email address, such as `com`, is searched for only as a whole word. A prefix search would be
 * slow, because nearly every payment has a word that begins with `com`.
 */
const topLevelDomain = /\.(com|net|org)$/i
/**
 * The maximum number of words in a search. Additional words are ignored, because they would make the search slower
 * but rarely change its result.
 */
const MOST_WORDS = 8

export type SearchTerms = {
  text: string | undefined
  /** The channel code, in lower case. */
  channel: string | undefined
  amount: Cents | undefined
}

/**
 * `query` is a PostgreSQL text query (tsquery) for all search terms. `ofCode` contains a query for each search word
 * that may be part of a payment code. `part` is this word in upper case. The caller must check whether the codes of the
 * found payments contain `part`.
 */
export type SearchQuery = { query: string; ofCode: { query: string; part: string }[] }

/** Returns the query for the search terms, or undefined if the terms contain no letters or digits. */
export function searchQueryOf(
  tenantId: string,
  { text, channel, amount }: SearchTerms,
): SearchQuery | undefined {
  const tenant = tenantId.slice(-4)
  const word: Word = (content, isPrefix = content.length >= SHORTEST_PREFIX) =>
    `'${`${tenant}${content}`.slice(0, 200)}'${isPrefix ? ':*' : ''}`
  const filters = [
    channel === undefined ? undefined : word(`#${channel.replaceAll(/['\\\s]/g, '')}`, false),
    amount === undefined ? undefined : word(`=${amount}`, false),
  ]
  const all = (query: string | undefined) =>
    [query, ...filters].filter(each => each !== undefined).join(' & ')
  const words = text === undefined ? [] : wordsOf(text)
  const query = all(text === undefined || words.length === 0 ? undefined : textQuery(text, words, word))
  if (query === '') return undefined
  const ofCode = words.flatMap((each, index) => {
    const parts = codePartQueries(each, word)
    if (parts.length === 0) return []
    const others = words.filter((_, n) => n !== index).map(other => oneOf(matchesOf(other, word)))
    return [{ query: all([oneOf(parts), ...others].join(' & ')), part: each.toUpperCase() }]
  })
  return { query, ofCode }
}

type Word = (content: string, isPrefix?: boolean) => string

function wordsOf(text: string): string[] {
  const all = text.split(/\s+/).filter(each => partsOf(each).length > 0)
  // Short words are ignored if the text contains a longer word. For example, the last word may be short because the
  // user is still typing it.
  const long = all.filter(each => partsOf(each).join('').length >= SHORTEST_PREFIX)
  return (long.length > 0 ? long : all).slice(0, MOST_WORDS)
}

function textQuery(text: string, words: string[], word: Word): string {
  const every = words.map(each => oneOf(matchesOf(each, word)))
  return oneOf([
    every.join(' & '),
    ...numbersOf(text).map(number => matchesOfNumber(number, word)),
    ...olderMatches(text, word),
  ])
}

const partsOf = (text: string, at = separators): string[] => text.split(at).filter(part => part !== '')

/**
 * Before migration 0118, some spaces and dashes, such as the non-breaking space, did not separate words. If the text
 * contains such a character, returns queries for older payments, whose details were not split at this character.
 */
function olderMatches(text: string, word: Word): string[] {
  const parts = partsOf(text.trim(), asciiSeparators)
  if (!parts.some(part => separators.test(part))) return []
  const names = parts.slice(0, MOST_WORDS).map(part => word(part))
  const phone = groupedNumber.test(text) ? [word(parts.join('').replace(/^0/, '62'))] : []
  return [names.join(' & '), ...phone]
}
const oneOf = (queries: string[]): string =>
  queries.length === 1 ? `${queries[0]}` : `(${queries.join(' | ')})`

/**
 * Returns the query for a number. A number that begins with `=` is an amount and must match exactly. Any
 * other number matches words that begin or end with this number.
 */
const matchesOfNumber = (number: string, word: Word): string =>
  number.startsWith('=') ? word(number, false) : `${word(number)} | ${fromEnd(number, word)}`

function matchesOf(text: string, word: Word): string[] {
  const parts = partsOf(text)
  // Only the last part of a word such as `order-1001` is matched as a prefix, because the user may still be typing it.
  // As a prefix, `order` could match every reference.
  const lastIndex = parts.length - 1
  const isOpen = (part: string, index: number) =>
    index === lastIndex && part.length >= SHORTEST_PREFIX && !topLevelDomain.test(text)
  const matches = [parts.map((part, index) => word(part, isOpen(part, index))).join(' & ')]
  const joined = parts.join('')
  if (parts.length > 1) matches.push(word(joined))
  // A stored phone number begins with the country code.
  if (/^0\d{3,}$/.test(joined)) matches.push(word(`62${joined.slice(1)}`))
  // The prefix `<` marks words that are stored reversed, so that payments can be found by the end of a word.
  // For a payment created before migration 0103, such a word may also contain the end of the payment code.
  const [last = ''] = parts.slice(-1)
  if (/^([0-9a-hjkmnp-tv-z]{4,10}|\d{4,})$/i.test(last)) matches.push(fromEnd(last, word))
  matches.push(...amountsOf(text).map(amount => word(amount, false)))
  return parts.length > 1 ? matches.map(each => `(${each})`) : matches
}

const fromEnd = (end: string, word: Word): string => word(`<${[...end].reverse().join('')}`)

/**
 * Returns queries for payments whose code contains the text. The search table contains only the last seven and the last
 * four characters of each code, with the prefix `>`. If the text begins one or two characters before such an ending,
 * only the rest of the text can be found. Queries without the first one or two characters are therefore added. At least
 * three characters must remain, because a shorter prefix would match too many words.
 */
function codePartQueries(text: string, word: Word): string[] {
  // Matches a part of a payment code that consists of the end of the date and the beginning of the random
  // part, such as `1120-7Q4M`. If the random part contains no letter, the text is probably not part of a
  // payment code, so no query is returned.
  const [, beginning] = /^g?p?\d{1,6}-([0-9a-hjkmnp-tv-z]{3,10})$/i.exec(text) ?? []
  if (beginning) return /[a-z]/i.test(beginning) ? [word(beginning)] : []
  if (!/^[0-9a-hjkmnp-tv-z]{4,9}$/i.test(text)) return []
  return [0, 1, 2]
    .map(omitted => text.slice(omitted))
    .filter(rest => rest.length >= SHORTEST_PREFIX && rest.length <= 7)
    .map(rest => word(`>${rest}`))
}

/**
 * If the text is an amount in rupiah, such as `150000` or `Rp150.000`, returns the search word that is stored
 * for payments with this amount.
 */
function amountsOf(text: string): string[] {
  const [, rupiah] = /^\s*(?:rp\.?\s*)?(\d{1,13}|\d{1,3}(?:[.,]\d{3})+)(?:[.,]00?)?\s*$/i.exec(text) ?? []
  return rupiah === undefined ? [] : [`=${BigInt(rupiah.replace(/\D/g, '')) * 100n}`]
}

/**
 * Returns the search words for a text that is a single number: an amount in rupiah, a phone number, or digits grouped by
 * spaces.
 */
function numbersOf(text: string): string[] {
  const isGrouped = /\s/.test(text.trim())
  // If the text has no spaces, `matchesOf` has already added the search words for the amount and the phone number.
  const amount = isGrouped ? amountsOf(text) : []
  if (!groupedNumber.test(text)) return amount
  const digits = text.replace(/\D/g, '')
  // A text that consists only of digits is already a search word, so it is not added again.
  const grouped = digits === text.trim() ? [] : [digits]
  return [...amount, ...grouped, ...(isGrouped && digits.startsWith('0') ? [`62${digits.slice(1)}`] : [])]
}
