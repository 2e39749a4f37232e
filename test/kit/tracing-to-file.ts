import { appendFileSync } from 'node:fs';
import { SpanKind } from '@opentelemetry/api';
import { NodeTracerProvider, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

/** A span, as it is written. */
export interface WrittenSpan {
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parent?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

// what an operator's module does, with a file in place of a collector
const provider = new NodeTracerProvider({
  spanProcessors: [
    new SimpleSpanProcessor({
      export(spans: ReadableSpan[], done) {
        for (const span of spans) {
          const { traceId, spanId } = span.spanContext();
          const written: WrittenSpan = {
            name: span.name,
            kind: SpanKind[span.kind],
            traceId,
            spanId,
            ...(span.parentSpanContext === undefined ? {} : { parent: span.parentSpanContext.spanId }),
            attributes: span.attributes,
          };
          appendFileSync(process.env.OTEL_TEST_FILE ?? '', `${JSON.stringify(written)}\n`);
        }
        done({ code: 0 });
      },
      shutdown: async () => {},
    }),
  ],
});
provider.register();

export const shutdown = () => provider.shutdown();
