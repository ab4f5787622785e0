-- Trains on a stream of flowers, and predicts by the newest model, in Flink's SQL client:
--   bin/sql-client.sh gateway -e localhost:8083 -f flowers.sql
-- Change the two paths: Millrace's jar, and a directory that all machines reach.

ADD JAR '/opt/millrace/sql/flink-sql-connector-millrace.jar';

SET 'execution.checkpointing.interval' = '10 s';

-- Any source will do. This one makes flowers up.
CREATE TABLE flowers (
  petal_length DOUBLE,
  petal_width DOUBLE,
  species AS CASE WHEN petal_length < 2.5 THEN 'setosa' WHEN petal_width < 1.7 THEN 'versicolor' ELSE 'virginica' END
) WITH (
  'connector' = 'datagen', 'number-of-rows' = '20000', 'rows-per-second' = '10000',
  'fields.petal_length.min' = '1', 'fields.petal_length.max' = '7',
  'fields.petal_width.min' = '0.1', 'fields.petal_width.max' = '2.5'
);

-- Each column but the label is a feature.
CREATE TABLE flower_training (petal_length DOUBLE, petal_width DOUBLE, species STRING) WITH (
  'connector' = 'millrace',
  'label' = 'species',
  'input.classes' = 'setosa;versicolor;virginica',
  'model.name' = 'mlp',
  'model.hidden' = '16',
  'model.learning-rate' = '0.05',
  'batch.size' = '32',
  'snapshot.directory' = '/mnt/models/flowers',
  'snapshot.interval' = '1 s'
);

INSERT INTO flower_training SELECT petal_length, petal_width, species FROM flowers;

CREATE MODEL flower_model
INPUT (petal_length DOUBLE, petal_width DOUBLE)
OUTPUT (class STRING, version STRING)
WITH ('provider' = 'millrace', 'models' = '/mnt/models/flowers');

-- How good each version is, for flowers that it may not have seen.
SELECT version, COUNT(*) AS flowers, AVG(CASE WHEN class = species THEN 1.0 ELSE 0.0 END) AS accuracy
FROM ML_PREDICT(TABLE flowers, MODEL flower_model, DESCRIPTOR(petal_length, petal_width))
GROUP BY version;
