-- The books of Krume & Sohn, an invented chain of five bakeries.
--
-- Each paragraph is sent as one request and becomes one transaction. The sales
-- ledger itself is generated (demo_ledger.go) after the paragraph that makes
-- its table; everything after the ledger is what happened to the books later.

CREATE TABLE shops (
  id INTEGER,
  name VARCHAR[60] NOT NULL,
  street VARCHAR[120],
  seats INTEGER,
  open BOOLEAN NOT NULL,
  founded TIMESTAMP NOT NULL,
  PRIMARY KEY id
);
CREATE UNIQUE INDEX ON shops(name);

CREATE TABLE products (
  id INTEGER AUTO_INCREMENT,
  code UUID NOT NULL,
  name VARCHAR[80] NOT NULL,
  price FLOAT NOT NULL,
  vegan BOOLEAN NOT NULL,
  recipe JSON,
  stamp BLOB[64],
  PRIMARY KEY id
);
CREATE UNIQUE INDEX ON products(name);

CREATE TABLE sales (
  id INTEGER AUTO_INCREMENT,
  shop_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  sold_at TIMESTAMP NOT NULL,
  pieces INTEGER NOT NULL,
  amount FLOAT NOT NULL,
  note VARCHAR[120],
  PRIMARY KEY id
);
CREATE INDEX ON sales(shop_id);
CREATE INDEX ON sales(sold_at);

INSERT INTO shops (id, name, street, seats, open, founded) VALUES
  (1, 'Mill Lane', '4 Mill Lane', 12, true, CAST('1987-03-02 06:00:00' AS TIMESTAMP)),
  (2, 'Harbour', '1 Quay Street', 20, true, CAST('1994-05-16 05:30:00' AS TIMESTAMP)),
  (3, 'Station', 'Platform hall, shop 3', NULL, true, CAST('2003-09-01 05:00:00' AS TIMESTAMP)),
  (4, 'Old Town Gate', '17 Gatehouse Row', 8, true, CAST('2011-11-11 06:30:00' AS TIMESTAMP)),
  (5, 'University', '90 College Road', 34, false, CAST('2019-10-07 07:00:00' AS TIMESTAMP));

INSERT INTO products (code, name, price, vegan, recipe, stamp) VALUES
  (CAST('0b7c1f0e-5f0a-4a52-9d6e-1d2c3b4a5f01' AS UUID), 'Rye loaf', 4.2, true, '{"flour": {"rye": 0.8, "wheat": 0.2}, "hours": 18, "starter": "Gertrud"}', x'4b5201'),
  (CAST('0b7c1f0e-5f0a-4a52-9d6e-1d2c3b4a5f02' AS UUID), 'Poppy seed roll', 0.75, true, '{"flour": {"wheat": 1}, "hours": 3}', x'4b5202'),
  (CAST('0b7c1f0e-5f0a-4a52-9d6e-1d2c3b4a5f03' AS UUID), 'Butter croissant', 1.9, false, '{"flour": {"wheat": 1}, "hours": 30, "folds": [3, 3, 4]}', x'4b5203'),
  (CAST('0b7c1f0e-5f0a-4a52-9d6e-1d2c3b4a5f04' AS UUID), 'Plum cake', 2.6, false, '{"season": ["August", "September"], "slices": 12}', NULL),
  (CAST('0b7c1f0e-5f0a-4a52-9d6e-1d2c3b4a5f05' AS UUID), 'Käsestange', 1.6, false, '{"cheese": "mountain", "hours": 4}', x'4b5205'),
  (CAST('0b7c1f0e-5f0a-4a52-9d6e-1d2c3b4a5f06' AS UUID), 'Sourdough baguette', 2.8, true, '{"flour": {"wheat": 1}, "hours": 24}', x'4b5206'),
  (CAST('0b7c1f0e-5f0a-4a52-9d6e-1d2c3b4a5f07' AS UUID), 'Walnut crown', 5.4, true, NULL, NULL),
  (CAST('0b7c1f0e-5f0a-4a52-9d6e-1d2c3b4a5f08' AS UUID), 'Filter coffee', 2.1, true, '{"grams": 18, "from": "Huehuetenango"}', NULL);

-- ledger

UPDATE products SET price = 4.5 WHERE name = 'Rye loaf';

UPDATE products SET price = 0.8 WHERE name = 'Poppy seed roll';

UPDATE products SET price = 4.8, recipe = '{"flour": {"rye": 0.7, "spelt": 0.3}, "hours": 20, "starter": "Gertrud"}' WHERE name = 'Rye loaf';

UPDATE shops SET open = true, seats = 36 WHERE id = 5;

UPDATE sales SET note = 'counted again: one tray fewer' WHERE id = 17;

DELETE FROM sales WHERE id = 23;

DELETE FROM products WHERE name = 'Walnut crown';

CREATE VIEW open_shops AS SELECT id, name, seats FROM shops WHERE open = true;
