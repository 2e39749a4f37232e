import type { Attributes, Context, SpanKind as Kind, Span } from '@opentelemetry/api';
import { StartError } from '../lifecycle/start-error.ts';

/** A piece of work, as traces show it. */
export interface SpanOptions<T = unknown> {
  readonly name: string;
  readonly kind: keyof typeof Kind;
  readonly attributes?: Attributes;
  /** A `traceparent` (W3C Trace Context) of the work that caused this; default: the current span, if any. */
  readonly parent?: string | undefined;
  /** What is known when the work is done. */
  readonly attributesOf?: (result: T) => Attributes;
}

/** Traces by OpenTelemetry. A node has one only if its operator wants traces: nothing is loaded otherwise. */
export interface Tracing {
  /** Does `work` in a span, which ends when it is done, or has failed. */
  inSpan<T>(options: SpanOptions<Awaited<T>>, work: () => T): T;
  /** The current span, as a `traceparent`. */
  traceparent(): string | undefined;
  /** Members of a log line that name the current span. */
  logMembers(): { readonly trace_id?: string; readonly span_id?: string };
  close(): Promise<void>;
}

/** What the operator's module may export. */
interface TracingModule {
  /** Sends what has not been sent. */
  readonly shutdown?: () => Promise<unknown>;
}

/**
 * Loads the operator's module, which registers an OpenTelemetry SDK, and then the API.
 *
 * @param module - URL of the module
 * @throws StartError if it cannot be loaded, or registers no provider of traces
 */
export async function openTracing(module: string, version: string): Promise<Tracing> {
  const { shutdown } = (await import(module).catch((error: unknown) => {
    throw new StartError(`TOUCHSTONE_TRACING_MODULE (${module}) cannot be loaded: ${String(error)}`, {
      cause: error,
    });
  })) as TracingModule;
  const api = await import('@opentelemetry/api');
  const { context, propagation, trace, SpanKind, SpanStatusCode } = api;
  const tracer = trace.getTracer('touchstone', version);
  const probe = tracer.startSpan('start');
  const isRegistered = api.isSpanContextValid(probe.spanContext());
  probe.end();
  if (!isRegistered)
    throw new StartError(
      `TOUCHSTONE_TRACING_MODULE (${module}) registers no provider of traces: start an OpenTelemetry SDK in it.`,
    );
  const fail = (span: Span, error: unknown): never => {
    span.recordException(error instanceof Error ? error : String(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    throw error;
  };
  const contextOf = (parent: string | undefined): Context =>
    parent === undefined ? context.active() : propagation.extract(context.active(), { traceparent: parent });
  return {
    inSpan({ name, kind, attributes = {}, parent, attributesOf }, work) {
      const options = { kind: SpanKind[kind], attributes };
      return tracer.startActiveSpan(name, options, contextOf(parent), (span) => {
        const end = <R>(result: R): R => {
          if (attributesOf !== undefined) span.setAttributes(attributesOf(result as never));
          span.end();
          return result;
        };
        try {
          const result = work();
          if (!(result instanceof Promise)) return end(result);
          return result.then(end, (error: unknown) => fail(span, error)) as typeof result;
        } catch (error) {
          return fail(span, error);
        }
      });
    },
    traceparent() {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent;
    },
    logMembers() {
      const current = trace.getSpanContext(context.active());
      return current === undefined ? {} : { trace_id: current.traceId, span_id: current.spanId };
    },
    async close() {
      await shutdown?.();
    },
  };
}

/** Does `work`, in a span where there are traces. */
export function inSpan<T>(
  tracing: Tracing | undefined,
  options: () => SpanOptions<Awaited<T>>,
  work: () => T,
): T {
  return tracing === undefined ? work() : tracing.inSpan(options(), work);
}
