import type { Call } from './call.ts'

/**
 * The base of the client's groups of calls. They are classes with explicit types, so that editors show the
 * documentation of each call.
 */
export abstract class Resource {
  protected readonly call: Call

  constructor(call: Call) {
    this.call = call
  }
}
