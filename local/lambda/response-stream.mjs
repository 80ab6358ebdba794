import { Writable } from 'node:stream';

/** The response stream a streaming handler writes to. Each chunk goes to the engine as it comes. */
export class ResponseStream extends Writable {
  #post;
  #written = false;
  /** Set by HttpResponseStream.from. */
  _onBeforeFirstWrite;

  constructor(post) {
    super();
    this.#post = post;
  }

  setContentType() {
    if (this.#written) throw new Error('Cannot set content-type, too late.');
  }

  write(chunk, ...rest) {
    if (!this.#written) {
      this.#written = true;
      this.#post({ type: 'stream-start' });
      this._onBeforeFirstWrite?.((prelude) => super.write(prelude));
    }
    const isData = typeof chunk === 'string' || chunk instanceof Uint8Array;
    return super.write(isData ? chunk : JSON.stringify(chunk), ...rest);
  }

  _write(chunk, _encoding, done) {
    this.#post({ type: 'chunk', data: new Uint8Array(chunk) });
    done();
  }

  _final(done) {
    this.#post({ type: 'end' });
    done();
  }
}

const DELIMITER = new Uint8Array(8);

/** Puts status and headers in front of the body. As on Lambda only by `write`: a body given to `end` alone has none. */
export const HttpResponseStream = {
  from(stream, metadata) {
    stream.setContentType('application/vnd.awslambda.http-integration-response');
    const prelude = JSON.stringify(metadata);
    stream._onBeforeFirstWrite = (write) => {
      write(prelude);
      write(DELIMITER);
    };
    return stream;
  },
};
