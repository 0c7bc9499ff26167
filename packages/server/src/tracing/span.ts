// OpenTelemetry spans for requests, SQL statements, provider calls, jobs and webhooks. While tracing is off
// (the default), the functions in this file do nothing. A payment's id is also its trace id, so any process
// can add spans, even days later (docs/decisions/0027-payment-trace-ids.md).

import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/**
 * Tracing in this process. `tracer` creates spans. `rootAs` calls the function `start`, and the span that `start`
 * creates gets the trace ID and span ID of `root`. `isSampled` returns whether a trace is recorded.
 */
export type Tracing = {
  tracer: Tracer
  rootAs<T>(root: SpanContext, start: () => T): T
  isSampled(traceId: string): boolean
}

type Options = {
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  attributes?: Attributes | undefined
  /** Spans that the new span links to without being their child. */
  links?: (SpanContext | undefined)[] | undefined
  /** The new span's parent. Defaults to the current span, if there is one. */
  parent?: SpanContext | 'none' | undefined
  /** The span's start time, in milliseconds since 1970. Set this only if the span started before this call. */
  startTime?: number
}
const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
}

let tracing: Tracing | undefined

/** Sets the tracer that all functions in this file use. Pass undefined to stop tracing. */
export function traceWith(started: Tracing | undefined): void {
  tracing = started
}

export const isTracing = (): boolean => tracing !== undefined

/** Returns the current span, or undefined if tracing is off. */
export const currentSpan = (): SpanContext | undefined =>
  tracing && trace.getSpan(context.active())?.spanContext()

/** Starts a span, which the caller must end. Returns undefined if tracing is off. */
export const startSpan = (name: string, options: Options = {}): Span | undefined =>
  tracing?.tracer.startSpan(name, spanOptions(options), parentOf(options.parent))

/** Starts a child span of the current span. Returns undefined if there is no current span. */
export const startPart = (name: string, options: Options = {}): Span | undefined =>
  tracing && trace.getSpan(context.active()) ? startSpan(name, options) : undefined

/** Calls `run` in a new span and ends the span when `run` ends. */
export function inSpan<T>(
  name: string,
  options: Options,
  run: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options)
  return span ? runIn(span, run) : run(undefined)
}

/**
 * Calls the function `run` in a new span, which is the root of the payment's own trace. The new span links to the
 * current span, which belongs to the request that created the payment.
 */
export function asPayment<T>(paymentId: string, name: string, run: () => Promise<T>): Promise<T> {
  if (!tracing) return run()
  const { tracer, rootAs } = tracing
  const request = trace.getSpan(context.active())
  const root = rootAs(rootOf(paymentId), () =>
    tracer.startSpan(
      name,
      spanOptions({ attributes: { 'gapura.payment_id': paymentId }, links: [request?.spanContext()] }),
      ROOT_CONTEXT,
    ),
  )
  request?.addLink({ context: root.spanContext() })
  return runIn(root, run)
}

/**
 * Returns the root span of a payment's trace, even if another process created it. The root span is the parent of the
 * spans of the payment's later events.
 */
export const paymentSpan = (paymentId: string): SpanContext | undefined => tracing && rootOf(paymentId)

function rootOf(paymentId: string): SpanContext {
  const traceId = paymentId.replaceAll('-', '')
  return {
    traceId,
    spanId: traceId.slice(16),
    traceFlags: tracing?.isSampled(traceId) ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  }
}

/**
 * Runs a batch in a span. If the batch has one caller, the span is part of the caller's trace. If the batch has
 * several callers, it gets its own trace, which links to the callers' traces.
 */
export function inBatchSpan<T>(
  name: string,
  callers: readonly (SpanContext | undefined)[],
  run: () => Promise<T>,
): Promise<T> {
  if (!tracing) return run()
  const [first, ...others] = callers
  if (others.length > 0) return inSpan(`batch ${name}`, { parent: 'none', links: [...new Set(callers)] }, run)
  return context.with(first ? trace.setSpanContext(ROOT_CONTEXT, first) : ROOT_CONTEXT, run)
}

/**
 * Returns the current span in the format of the W3C `traceparent` header, so that it can be passed to other
 * processes. Returns null if tracing is off.
 */
export function currentTraceparent(): string | null {
  const current = currentSpan()
  if (!current) return null
  return `00-${current.traceId}-${current.spanId}-${current.traceFlags.toString(16).padStart(2, '0')}`
}

/**
 * Returns the caller's span from a `traceparent` header, or undefined if the header is not valid. Our spans only link
 * to this span and do not join the caller's trace, because outside callers can send any ids.
 */
export function spanOfTraceparent(traceparent: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent) ?? []
  const sent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(sent) ? sent : undefined
}

async function runIn<T>(span: Span, run: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(context.active(), span), run, undefined, span)
  } catch (error) {
    failSpan(span, error)
    throw error
  } finally {
    span.end()
  }
}

/**
 * Marks the span as failed. Records only the error's name, because the error message may contain data from
 * providers or callers.
 */
export function failSpan(span: Span, error: unknown): void {
  const message = error instanceof Error ? error.name : 'unknown'
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}

function spanOptions({ kind = 'internal', attributes, links = [], startTime }: Options) {
  return {
    kind: kinds[kind],
    ...(attributes && { attributes }),
    links: links.flatMap((linked): Link[] => (linked ? [{ context: linked }] : [])),
    ...(startTime !== undefined && { startTime }),
  }
}

function parentOf(parent: Options['parent']): Context {
  if (parent === 'none') return ROOT_CONTEXT
  return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : context.active()
}
