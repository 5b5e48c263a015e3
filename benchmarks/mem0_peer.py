"""Runs mem0 in an interpreter of its own: a line of JSON in, a line of JSON out. Nothing of Assay is imported.

    python mem0_peer.py postgresql://…

Vectors are ready before anything is timed, and no model is asked. Without spaCy, mem0 leaves its analysis out.
"""

# mypy: ignore-errors

import json
import os
import random
import sys
import tempfile
import time
import uuid

os.environ.update({"MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "none", "MEM0_DIR": tempfile.mkdtemp()})

import numpy as np
from mem0 import Memory

DIMENSION, CLUSTERS, USER, TABLE = 384, 200, "benchmark", "mem0_benchmark"


class ReadyVectors:
    """The vector of a text, drawn around one of the centres by the text itself."""

    def __init__(self):
        self.centres = np.random.default_rng(5).standard_normal((CLUSTERS, DIMENSION))
        self.known = {}

    def vector(self, number):
        chance = np.random.default_rng(number)
        drawn = self.centres[chance.integers(CLUSTERS)] + 0.5 * chance.standard_normal(DIMENSION)
        return drawn / np.linalg.norm(drawn)

    def embed(self, text, memory_action=None):
        return self.known[text]


class Peer:
    """One user's memories."""

    def __init__(self, dsn):
        self.vectors = ReadyVectors()
        store = {"connection_string": dsn, "collection_name": TABLE, "embedding_model_dims": DIMENSION, "hnsw": True}
        self.memory = Memory.from_config({"vector_store": {"provider": "pgvector", "config": store}})
        self.memory.embedding_model = self.vectors
        self.written = 0

    def fill(self, count):
        """By COPY into mem0's own table with one memory of its own making; its index is built afterwards."""
        store = self.memory.vector_store
        self.memory.add(self._text(-1, ready=True), user_id=USER, infer=False)
        with store._get_cursor(commit=True) as cursor:
            cursor.execute(f"SELECT payload FROM {TABLE}")
            made = cursor.fetchone()[0]
            cursor.execute(f"DROP INDEX {TABLE}_hnsw_idx")
            with cursor.copy(f"COPY {TABLE} (id, vector, payload) FROM STDIN") as copy:
                for number in range(count):
                    text = self._text(number)
                    payload = {**made, "data": text, "text_lemmatized": text}
                    vector = "[" + ",".join(f"{value:.5f}" for value in self.vectors.vector(number)) + "]"
                    copy.write_row((str(uuid.uuid4()), vector, json.dumps(payload)))
            cursor.execute("SET maintenance_work_mem = '1GB'")
            cursor.execute(f"CREATE INDEX {TABLE}_hnsw_idx ON {TABLE} USING hnsw (vector vector_cosine_ops)")
        with store.connection_pool.connection() as connection:
            connection.autocommit = True
            connection.execute(f"VACUUM ANALYZE {TABLE}")
            connection.autocommit = False
        self.written = count

    def search(self, count):
        """Milliseconds of each question about a memory: four of its words, a vector near its own; ten hits at most."""
        questions = []
        for _ in range(count):
            number = random.randrange(self.written)
            text = " ".join(self._text(number).split()[-4:])
            near = self.vectors.vector(number) + 0.35 / DIMENSION**0.5 * np.random.standard_normal(DIMENSION)
            self.vectors.known[text] = (near / np.linalg.norm(near)).tolist()
            questions.append(text)
        spent = []
        for text in questions:
            started = time.perf_counter()
            found = self.memory.search(text, filters={"user_id": USER}, top_k=10)["results"]
            spent.append((time.perf_counter() - started) * 1000)
            assert found, text
        return spent

    def add(self, count):
        """Seconds of so many single adds."""
        texts = self._new(count)
        started = time.perf_counter()
        for text in texts:
            self.memory.add(text, user_id=USER, infer=False)
        return time.perf_counter() - started

    def bulk(self, count):
        """Seconds of one insert of so many through mem0's store."""
        texts = self._new(count)
        payloads = [{"data": text, "text_lemmatized": text, "user_id": USER} for text in texts]
        started = time.perf_counter()
        self.memory.vector_store.insert(
            [self.vectors.known[text] for text in texts], payloads, [str(uuid.uuid4()) for _ in texts]
        )
        return time.perf_counter() - started

    def _new(self, count):
        first, self.written = self.written, self.written + count
        return [self._text(number, ready=True) for number in range(first, first + count)]

    def _text(self, number, ready=False):
        chance = random.Random(number)
        words = [f"w{int(20_000 * chance.random() ** 3)}" for _ in range(8 + chance.randrange(5))]
        text = f"memory {number} " + " ".join(words)
        if ready:
            self.vectors.known[text] = self.vectors.vector(abs(number)).tolist()
        return text


def main():
    """Answer until the input ends."""
    peer = Peer(sys.argv[1])
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(getattr(peer, asked["do"])(asked["count"])), flush=True)


if __name__ == "__main__":
    main()
