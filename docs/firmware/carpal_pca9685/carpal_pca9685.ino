// Reference firmware of a motor board with hobby servos on a PCA9685 (16 channels, I2C), for Arduino boards.
//
// It speaks the serial protocol of docs/telephone.md (version 2): identify, set-points, stop. Hobby servos say nothing of where
// they stand, so every answer has the bit "positions are measured" cleared, and a player drives the board only with --open-loop.
// Channels stay unpowered until the first set-point, set-points outside a channel's range are refused, and without a set-point
// for 0.25 s the board reports that it holds. Change MOTORS to your hand.

#include <Arduino.h>
#include <Wire.h>
#include <string.h>

struct Motor {
  float low, high;        // [rad], or [m] of a tendon
  float speed;            // a second
  uint16_t pulse_low, pulse_high;  // [us] at low and high
};

// One row for each motor, in the order in which the hand's motors are named (carpal sign calibrate lists them)
static const Motor MOTORS[] = {
#ifdef CARPAL_MOTORS
    CARPAL_MOTORS
#else
    {0.0f, 1.5f, 4.0f, 600, 2400},
    {0.0f, 1.5f, 4.0f, 600, 2400},
    {-0.5f, 0.5f, 4.0f, 2000, 1000},
#endif
};
static const uint8_t COUNT = sizeof(MOTORS) / sizeof(MOTORS[0]);

static const uint8_t PCA9685 = 0x40, MODE1 = 0x00, PRESCALE = 0xFE, LED0 = 0x06;
static const float FREQUENCY = 50.0f;                  // [Hz]
static const uint32_t BAUD = 1000000, WATCHDOG = 250;  // [ms]
static const uint8_t VERSION = 2, ASK = 1, ABOUT = 2, SET = 3, SENSED = 4, STOP = 5, FAULT = 6;
static const uint8_t OUT_OF_RANGE = 1, NOT_FINITE = 2, WRONG_COUNT = 3, UNKNOWN_KIND = 4;
static const uint16_t MOST = 320;

static float goal[COUNT];
static bool powered = false;
static uint32_t last_set = 0;
static uint8_t frame[MOST + 10];
static uint16_t have = 0;
static uint16_t last_number = 0;
static bool answered = false;

static uint16_t crc16(const uint8_t* data, uint16_t n) {  // CCITT, begun at 0xFFFF
  uint16_t crc = 0xFFFF;
  for (uint16_t i = 0; i < n; i++) {
    crc ^= (uint16_t)data[i] << 8;
    for (uint8_t k = 0; k < 8; k++) crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
  }
  return crc;
}

static void reg(uint8_t address, uint8_t value) {
  Wire.beginTransmission(PCA9685);
  Wire.write(address);
  Wire.write(value);
  Wire.endTransmission();
}

static void pulse(uint8_t channel, float us) {
  uint16_t off = (uint16_t)(us * 4096.0f * FREQUENCY / 1e6f + 0.5f);
  Wire.beginTransmission(PCA9685);
  Wire.write((uint8_t)(LED0 + 4 * channel));
  Wire.write((uint8_t)0);
  Wire.write((uint8_t)0);
  Wire.write((uint8_t)(off & 0xFF));
  Wire.write((uint8_t)(off >> 8));
  Wire.endTransmission();
}

static void drive() {
  for (uint8_t k = 0; k < COUNT; k++) {
    const Motor& m = MOTORS[k];
    float share = (goal[k] - m.low) / (m.high - m.low);
    pulse(k, m.pulse_low + share * ((float)m.pulse_high - (float)m.pulse_low));
  }
  powered = true;
}

static void answer(uint8_t kind, uint16_t number, const uint8_t* payload, uint16_t n) {
  uint8_t out[MOST + 10];
  out[0] = 0xA5, out[1] = 0x5A, out[2] = VERSION, out[3] = kind;
  out[4] = number & 0xFF, out[5] = number >> 8, out[6] = n & 0xFF, out[7] = n >> 8;
  memcpy(out + 8, payload, n);
  uint16_t crc = crc16(out + 2, n + 6);
  out[8 + n] = crc & 0xFF, out[9 + n] = crc >> 8;
  Serial.write(out, n + 10);
}

static void fault(uint16_t number, uint8_t why) { answer(FAULT, number, &why, 1); }

static void about(uint16_t number) {
  float rows[5 * COUNT];
  const float infinite = 1.0f / 0.0f;
  for (uint8_t k = 0; k < COUNT; k++) {
    rows[k] = MOTORS[k].low, rows[COUNT + k] = MOTORS[k].high, rows[2 * COUNT + k] = MOTORS[k].speed;
    rows[3 * COUNT + k] = rows[4 * COUNT + k] = infinite;  // neither load nor temperature is sensed
  }
  answer(ABOUT, number, (uint8_t*)rows, sizeof(rows));
}

static void sensed(uint16_t number) {
  uint8_t out[12 * COUNT + 1];
  memset(out, 0, sizeof(out));
  memcpy(out, goal, 4 * COUNT);
  out[12 * COUNT] = powered && millis() - last_set >= WATCHDOG ? 1 : 0;  // bit 1, "measured", is never set
  answer(SENSED, number, out, sizeof(out));
}

static void set(uint16_t number, const uint8_t* payload, uint16_t n) {
  float asked[COUNT];
  if (n != 4 * COUNT) return fault(number, WRONG_COUNT);
  memcpy(asked, payload, n);
  for (uint8_t k = 0; k < COUNT; k++) {
    if (!(asked[k] - asked[k] == 0.0f)) return fault(number, NOT_FINITE);
    float edge = 1e-5f * (MOTORS[k].high - MOTORS[k].low);
    if (asked[k] < MOTORS[k].low - edge || asked[k] > MOTORS[k].high + edge) return fault(number, OUT_OF_RANGE);
  }
  memcpy(goal, asked, n);
  last_set = millis();
  drive();
  sensed(number);
}

static void handle() {
  uint8_t kind = frame[3];
  uint16_t number = frame[4] | frame[5] << 8, n = frame[6] | frame[7] << 8;
  if (kind == ASK) {
    answered = false;
    about(number);
  } else if (kind == SET) {
    if (answered && number == last_number) return sensed(number);           // repeated: its answer was lost
    if (answered && (uint16_t)(number - last_number) >= 0x8000) return;     // older than the last one
    answered = true, last_number = number;
    set(number, frame + 8, n);
  } else if (kind == STOP) {
    sensed(number);
  } else {
    fault(number, UNKNOWN_KIND);
  }
}

static void drop(uint16_t n) {
  have -= n;
  memmove(frame, frame + n, have);
}

static void byte_came(uint8_t value) {
  if (have == sizeof(frame)) drop(1);
  frame[have++] = value;
  while (have) {
    if (frame[0] != 0xA5 || (have > 1 && frame[1] != 0x5A)) { drop(1); continue; }
    if (have < 8) return;
    uint16_t n = frame[6] | frame[7] << 8;
    if (frame[2] != VERSION || n > MOST) { drop(2); continue; }
    if (have < n + 10) return;
    if (crc16(frame + 2, n + 6) != (uint16_t)(frame[8 + n] | frame[9 + n] << 8)) { drop(2); continue; }
    handle();
    drop(n + 10);
  }
}

void setup() {
  Serial.begin(BAUD);
  Wire.begin();
  reg(MODE1, 0x10);  // asleep, as the prescaler wants it
  reg(PRESCALE, (uint8_t)(25e6f / (4096.0f * FREQUENCY) - 0.5f));
  reg(MODE1, 0x20);  // awake, registers advance by themselves
  for (uint8_t k = 0; k < COUNT; k++) {
    goal[k] = MOTORS[k].low;
    Wire.beginTransmission(PCA9685);  // no pulse at all: full off
    Wire.write((uint8_t)(LED0 + 4 * k + 3));
    Wire.write((uint8_t)0x10);
    Wire.endTransmission();
  }
}

void loop() {
  while (Serial.available()) byte_came((uint8_t)Serial.read());
}
