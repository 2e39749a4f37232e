import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** The interface of pg's connection for a query that uses the COPY protocol. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
  readonly stream: NodeJS.WritableStream & { readonly writableNeedDrain: boolean };
}

/** COPY on a connection of pg, which has no method for it. */
abstract class Copy {
  readonly done: Promise<void>;
  readonly #text: string;
  #failed: Error | undefined;
  #settle: (error: Error | undefined) => void = () => {};

  constructor(text: string) {
    this.#text = text;
    this.done = new Promise((resolve, reject) => {
      this.#settle = (error) => (error === undefined ? resolve() : reject(error));
    });
  }

  submit(connection: CopyConnection): void {
    connection.query(this.#text);
  }
  handleError(error: Error): void {
    this.#failed = error;
    this.#settle(error);
  }
  handleCommandComplete(): void {}
  handleReadyForQuery(): void {
    if (this.#failed === undefined) this.#settle(undefined);
  }
}

class CopyOut extends Copy {
  readonly #file: WriteStream;
  constructor(table: string, file: string) {
    super(`copy ${table} to stdout`);
    this.#file = createWriteStream(file);
  }
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // copies the bytes, whose buffer is reused
    this.#file.write(Buffer.from(chunk));
  }
  override handleReadyForQuery(): void {
    this.#file.end(() => super.handleReadyForQuery());
  }
}

class CopyIn extends Copy {
  readonly #file: string;
  constructor(table: string, file: string) {
    super(`copy ${table} from stdin`);
    this.#file = file;
  }
  handleCopyInResponse(connection: CopyConnection): void {
    const send = async () => {
      for await (const chunk of createReadStream(this.#file, { highWaterMark: 1 << 18 })) {
        connection.sendCopyFromChunk(chunk as Buffer);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
      }
      connection.endCopyFrom();
    };
    send().catch((error: Error) => connection.sendCopyFail(error.message));
  }
}

/** The tables that an import writes, with the same columns, indexes and constraints. */
const BARE_TABLES = `
  drop schema if exists bare cascade;
  create schema bare;
  create table bare.products (like public.products including all,
    foreign key (merchant_id, store_id) references public.stores (merchant_id, id));
  create table bare.images (like public.images including all,
    foreign key (merchant_id, product_id) references bare.products (merchant_id, id))`;

/**
 * Copies the rows of products and images into tables with the same structure, by COPY.
 *
 * @returns seconds that writing them took
 */
export async function copyTables(databaseUrl: string, folder: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const run = (copy: Copy) => {
    client.query(copy as unknown as pg.Submittable);
    return copy.done;
  };
  const files = { products: join(folder, 'products.copy'), images: join(folder, 'images.copy') };
  try {
    await run(new CopyOut('public.products', files.products));
    await run(new CopyOut('public.images', files.images));
    await client.query(BARE_TABLES);
    const begun = performance.now();
    await run(new CopyIn('bare.products', files.products));
    await run(new CopyIn('bare.images', files.images));
    return (performance.now() - begun) / 1_000;
  } finally {
    await client.query('drop schema if exists bare cascade').catch(() => undefined);
    await client.end();
  }
}
