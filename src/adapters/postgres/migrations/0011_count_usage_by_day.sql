-- One row a day instead of one a call: it does not grow with the calls, and the month is summed in a moment.
CREATE TABLE usage_by_day (
    organization_id uuid NOT NULL,
    day date NOT NULL,
    group_id text NOT NULL,
    role text NOT NULL,
    model text NOT NULL,
    calls bigint NOT NULL,
    requests bigint NOT NULL,
    texts bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    price_micros bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO usage_by_day
SELECT organization_id, (at AT TIME ZONE 'UTC')::date, group_id, role, model, count(*), sum(requests), 0,
       sum(input_tokens), sum(output_tokens), sum(price_micros)
FROM usage GROUP BY 1, 2, 3, 4, 5;
DROP TABLE usage;
ALTER TABLE usage_by_day RENAME TO usage;
ALTER TABLE usage ADD PRIMARY KEY (organization_id, day, group_id, role, model);
