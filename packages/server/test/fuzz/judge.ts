// Defines rules that every response in a fuzz run must follow. Each violation is returned as a sentence.

import { holdAgainstDocument, pointerTo, validatorAt } from '../support/contract.ts'
import type { Credential } from './credentials.ts'
import { namesIn, type Owner } from './owners.ts'
import type { FuzzedOperation } from './request.ts'
import type { Answer, Sent } from './wire.ts'

export type Whose = Pick<Owner, 'tenantId' | 'parentId'>
export type Judged = {
  sent: Sent
  answer: Answer
  caller: Credential
  origin: string
  operation: FuzzedOperation
  /** Returns whether the caller may see data that belongs to the given owner. */
  mayBeShown: (owner: Whose, name: string) => boolean
  /**
   * Strings that belong to only one tenant, such as its secrets and URLs. They must not appear in responses
   * to other tenants.
   */
  secrets: Map<string, Whose>
  ownersOf: (names: string[]) => Promise<Map<string, Owner>>
}

export async function faultsOf(judged: Judged): Promise<string[]> {
  return [...formFaults(judged), ...forbiddenFaults(judged), ...(await foreignFaults(judged))]
}

/**
 * Returns an error text if the service accepted a request body that violates the API document. A byte order
 * mark at the start of the body is allowed, because the service may ignore it (RFC 8259, 8.1).
 */
function forbiddenFaults({ sent: { method, body }, answer: { status }, operation }: Judged): string[] {
  if (status !== 200 || body === undefined || operation.body?.type !== 'application/json') return []
  const { path } = operation
  const isAllowed = validatorAt(
    pointerTo('paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'),
  )
  return isAllowed(body === '' ? {} : JSON.parse(body.replace(/^\ufeff/, '')))
    ? []
    : ['the service accepted a body that the API document forbids']
}

/** Matches internal details, such as stack traces, that must not appear in a response. */
const insides =
  /\bat (\S+ \()?(file:|node:|\/)\S+:\d+:\d+|node:internal|node_modules|\/src\/|\.ts:\d+|violates \w+ constraint|syntax error at|relation "|ECONNREFUSED|QueryBuilder/

/**
 * Matches the path segments `.` and `..`. A URL parser would remove them, but the service treats them like
 * any other segment.
 */
const dots = /\/(\.|%2e){1,2}(?=[/?]|$)/gi

function formFaults({ sent, answer, origin }: Judged): string[] {
  const { status, headers, text } = answer
  const type = String(headers['content-type'] ?? '')
  const faults: string[] = []
  if (status >= 500 && status !== 502) faults.push(`the response has the status ${status}`)
  try {
    holdAgainstDocument(sent.method, origin + sent.path.replace(dots, '/x'), status, type, text)
  } catch (error) {
    faults.push((error as Error).message)
  }
  const id = String(headers['x-request-id'] ?? '')
  const given = sent.headers['x-request-id'] ?? ''
  if (!/^[\w.:-]{1,128}$/.test(id))
    faults.push(`the response has the invalid X-Request-Id ${JSON.stringify(id)}`)
  if (/^[\w.:-]{1,128}$/.test(given) && given !== id)
    faults.push('the response does not return the X-Request-Id of the request')
  if (type.startsWith('application/json')) faults.push(...envelopeFaults(status, text))
  else if (status !== 200) faults.push(`the body of the ${status} response has the type ${type}`)
  return faults
}

function envelopeFaults(status: number, text: string): string[] {
  const answer = JSON.parse(text) as Record<string, unknown>
  const keys = Object.keys(answer).join()
  if (status === 200)
    return answer.success === true && keys === 'success,data'
      ? []
      : [`the response with the status 200 has the fields ${keys} instead of success,data`]
  const { code, message, ...more } = (answer.error ?? {}) as Record<string, unknown>
  const faults: string[] = []
  if (answer.success !== false || keys !== 'success,error' || Object.keys(more).length > 0)
    faults.push(
      'the body of the error response does not have the documented format: the fields success, error.code and error.message',
    )
  if (code === 'BAD_REQUEST' && !/^bad request: \S.*?: ./s.test(String(message)))
    faults.push('the message of the error BAD_REQUEST does not name the invalid field')
  if (insides.test(String(message))) faults.push('the error message shows internal details')
  return faults
}

/**
 * Returns other tenants' ids and strings found in a response. Ids and strings that the caller itself sent are
 * left out.
 */
async function foreignFaults({
  sent,
  answer,
  caller,
  mayBeShown,
  secrets,
  ownersOf,
}: Judged): Promise<string[]> {
  const asked = decoded(sent)
  const isNews = (word: string) => !asked.includes(word.toLowerCase())
  const owners = await ownersOf(namesIn(answer.text.replace(unchecked, '')).filter(isNews))
  const ofOthers = [...owners].filter(
    ([name, owner]) => !mayBeShown(owner, name) || isOtherMode(caller, owner.mode),
  )
  const told = [...secrets].filter(
    ([word, owner]) => !mayBeShown(owner, word) && answer.text.includes(word) && isNews(word),
  )
  return [...ofOthers, ...told].map(
    ([word]) => `the response to ${caller.name} contains ${word}, which belongs to another tenant or mode`,
  )
}

/**
 * Matches the two fields that the test does not check, because they may contain IDs of other tenants. The actor of an
 * audit log entry may be a user of the operator. The path of a logged request contains the IDs that the tenant itself
 * sent.
 */
const unchecked = /"actor_(tenant|user)_id":"[^"]*"|"path":"[^"]*"/g

/**
 * Returns whether the caller's API key is for another mode (test or live) than `mode`. An API key may read
 * data only in its own mode.
 */
const isOtherMode = ({ who }: Credential, mode: string | null): boolean =>
  who?.kind === 'key' && mode !== null && mode !== who.mode

function decoded({ path, body = '' }: Sent): string {
  try {
    return `${path} ${decodeURIComponent(path)} ${body}`.toLowerCase()
  } catch {
    return `${path} ${body}`.toLowerCase()
  }
}
